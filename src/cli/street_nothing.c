/* What a run says that has nothing to do: where it looked for a configuration, and ways on; or that
 * the evidence it was given is blank. */
#include "base/text.h"
#include "cli/deliver.h"
#include "cli/say.h"
#include "cli/street.h"

static int show(void *context)
{
    struct street *street = context;
    struct cli *cli = street->cli;
    struct config *config = &street->config;
    if (!cli->is_human) {
        return street_print(street);
    }
    buf_printf(&cli->out, "%s\n",
               say(cli, "Nothing is configured to probe.", "没有可探测的配置。"));
    if (config->looked_count) {
        buf_printf(&cli->out, "\n%s\n", say(cli, "Looked at:", "已查看："));
    }
    for (size_t i = 0; i < config->looked_count; i++) {
        buf_printf(&cli->out, "  %.*s\n", STR_ARG(text_show(cli->arena, config->looked[i], 0)));
    }
    buf_printf(&cli->out, "\n%s\n",
               say(cli,
                   "To see what it does without a key:  diagnose demo\n"
                   "To judge an error that you have:    diagnose classify FILE, or - for a pipe\n"
                   "To name a model to probe:           man diagnose, FILES",
                   "无需密钥即可查看效果：diagnose demo\n"
                   "分析已有的报错：      diagnose classify FILE，管道输入用 -\n"
                   "添加要探测的模型：    见 man diagnose 的 FILES 一节"));
    return EXIT_UNKNOWN;
}

static void judge_nothing(struct street *street, const char *summary)
{
    street_judge(street, NULL, 0);
    street->report.exit_code = EXIT_UNKNOWN;
    street->report.blame = BLAME_UNKNOWN;
    street->report.summary = str_from(summary);
}

int street_show_nothing(struct street *street)
{
    judge_nothing(street, say(street->cli,
                              "Nothing is configured to probe; diagnose demo shows what it does.",
                              "没有可探测的配置；运行 diagnose demo 可看到效果。"));
    return deliver_all(street->cli, show, street);
}

void street_judge_blank(struct street *street)
{
    judge_nothing(street, say(street->cli,
                              "There is nothing to judge: the input is empty. A pipe takes error "
                              "output along with 2>&1.",
                              "没有可判断的内容：输入为空。加上 2>&1，管道才会带上错误输出。"));
}
