/* Sentences of manuals in Chinese that speak of errors: what can be set, what a client does by
 * itself, what usually happens, what to take care of. Takes a line without a program's report, says
 * whether it is one. */
#include "classify/mention.h"

/* What is general or may be set, wherever it stands. */
static bool is_general(const struct bigrams *bigrams, struct str line)
{
    static const struct str words[] = {
        STR_INIT("系统会自动"),   STR_INIT("避免频繁"),   STR_INIT("自动退避"),
        STR_INIT("自动恢复"),     STR_INIT("自动切换到"), STR_INIT("可以配置"),
        STR_INIT("可配置"),       STR_INIT("相关设置"),   STR_INIT("限制设置"),
        STR_INIT("限制示例"),     STR_INIT("往往会"),     STR_INIT("通常会"),
        STR_INIT("可能出现的"),   STR_INIT("否则会报错"), STR_INIT("否则会返回"),
        STR_INIT("不会报错"),     STR_INIT("会报错超出"), STR_INIT("以避免"),
        STR_INIT("避免触发"),     STR_INIT("以区分"),     STR_INIT("有效减少"),
        STR_INIT("有效避免"),     STR_INIT("后再跑"),     STR_INIT("后再执行"),
        STR_INIT("带超时"),       STR_INIT("用于统一"),   STR_INIT("用于封装"),
        STR_INIT("用于区分"),     STR_INIT("判断是否"),   STR_INIT("判断命令"),
        STR_INIT("时输出"),       STR_INIT("约定："),     STR_INIT("应修正"),
        STR_INIT("应检查"),       STR_INIT("应先"),       STR_INIT("有限退避"),
        STR_INIT("拒绝请求超时"), STR_INIT("为避免"),     STR_INIT("防止"),
        STR_INIT("避免因"),       STR_INIT("错误处理"),   STR_INIT("重试机制"),
        STR_INIT("限流机制"),     STR_INIT("限流策略"),   STR_INIT("异常和错误"),
        STR_INIT("的超时时间"),   STR_INIT("超时时间为"), STR_INIT("默认超时"),
        STR_INIT("秒超时"),       STR_INIT("超时保护"),   STR_INIT("容易触发"),
        STR_INIT("最大使用量"),   STR_INIT("用于设置"),   STR_INIT("用于限制"),
        STR_INIT("用于控制"),     STR_INIT("建议设置"),   STR_INIT("建议将"),
        STR_INIT("建议使用"),     STR_INIT("默认值"),     STR_INIT("默认为"),
        STR_INIT("未知字段"),     STR_INIT("测试用例"),   STR_INIT("单元测试"),
        STR_INIT("返回结构"),     STR_INIT("返回示例"),   STR_INIT("响应示例"),
        STR_INIT("错误示例"),     STR_INIT("为什么提示"), STR_INIT("为什么会"),
        STR_INIT("怎么计算"),     STR_INIT("部署后访问"), STR_INIT("HTTP 状态码在"),
        STR_INIT("提示文案"),     STR_INIT("就会导致"),   STR_INIT("一律不"),
        STR_INIT("下周计划"),     STR_INIT("本周完成"),   STR_INIT("通常是指")};
    return HAS_ANY(bigrams, line, words);
}

/* "失败时自动重试": what a client does by itself; but "2 秒后自动重试（第 2/3 次）" tells what it
 * is doing now. */
static bool is_retry_in_general(const struct bigrams *bigrams, struct str line)
{
    static const struct str now[] = {STR_INIT("秒后自动重试"),   STR_INIT("秒后将自动重试"),
                                     STR_INIT("分钟后自动重试"), STR_INIT("正在自动重试"),
                                     STR_INIT("自动重试中"),     STR_INIT("自动重试（第"),
                                     STR_INIT("自动重试 ("),     STR_INIT("自动重试第")};
    return bigrams_find(bigrams, line, STR("自动重试")) >= 0 && !HAS_ANY(bigrams, line, now);
}

/* How a manual turns to its reader. */
static bool is_addressed(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("**原因**"), STR_INIT("**说明**"), STR_INIT("**为什么"),   STR_INIT("**解决"),
        STR_INIT("**注意"),   STR_INIT("这里"),     STR_INIT("此处"),       STR_INIT("注意处理"),
        STR_INIT("需要注意"), STR_INIT("请注意"),   STR_INIT("例如"),       STR_INIT("比如"),
        STR_INIT("确保"),     STR_INIT("检查"),     STR_INIT("确认"),       STR_INIT("处理"),
        STR_INIT("区分"),     STR_INIT("点击"),     STR_INIT("默认"),       STR_INIT("每次"),
        STR_INIT("可选"),     STR_INIT("通过"),     STR_INIT("实现"),       STR_INIT("提供"),
        STR_INIT("用户可以"), STR_INIT("你可以"),   STR_INIT("您可以"),     STR_INIT("我们需要"),
        STR_INIT("我们可以"), STR_INIT("由于单个"), STR_INIT("请检查您的"), STR_INIT("请检查你的"),
        STR_INIT("请确保"),   STR_INIT("建议"),     STR_INIT("使用 Token"), STR_INIT("不使用 "),
        STR_INIT("解决方案"), STR_INIT("解决方法"), STR_INIT("答：")};
    static const struct str ends[] = {STR_INIT("错误"), STR_INIT("报错"), STR_INIT("失败")};
    struct str bare = mention_without_mark(line);
    bool tells_of_event = str_starts(bare, STR("每次")) && ENDS_ANY(bare, ends);
    bool names_provider = str_starts(bare, STR("提供商")) || str_starts(bare, STR("提供方"));
    /* "每次使用都报错", "提供商返回错误" */
    return STARTS_ANY(bare, starts) && !tells_of_event && !names_provider;
}

/* "裁剪轮次后，如果 token 数仍超出预算：": what is done in a case follows. */
static bool is_branch(const struct bigrams *bigrams, struct str line)
{
    return str_ends(line, STR("：")) && (bigrams_find(bigrams, line, STR("如果")) >= 0 ||
                                         bigrams_find(bigrams, line, STR("若")) >= 0);
}

/* "- 增加限流错误的处理": an item of what changed; "- 更新模型列表失败：401" and "- 添加密钥后提示
 * 401" tell how a change ended. */
static bool is_change(const struct bigrams *bigrams, struct str line)
{
    static const struct str verbs[] = {
        STR_INIT("增加"), STR_INIT("添加"), STR_INIT("保留"), STR_INIT("调整"), STR_INIT("改进"),
        STR_INIT("移除"), STR_INIT("删除"), STR_INIT("重构"), STR_INIT("完善"), STR_INIT("统一"),
        STR_INIT("引入"), STR_INIT("补充"), STR_INIT("增强"), STR_INIT("兼容"), STR_INIT("修正"),
        STR_INIT("更新"), STR_INIT("实现"), STR_INIT("规范")};
    static const struct str ends[] = {STR_INIT("失败"), STR_INIT("报错"), STR_INIT("出错"),
                                      STR_INIT("超时"), STR_INIT("无法"), STR_INIT("未能"),
                                      STR_INIT("提示"), STR_INIT("后")};
    bool is_item = str_starts(str_trim(line), STR("- ")) || str_starts(str_trim(line), STR("* "));
    return is_item && STARTS_ANY(mention_without_mark(line), verbs) &&
           !HAS_ANY(bigrams, line, ends);
}

bool mention_is_chinese_manual(const struct bigrams *bigrams, struct str line)
{
    return !str_is_ascii(line) && !mention_is_persons(bigrams, line) &&
           (is_addressed(line) || is_change(bigrams, line) || is_branch(bigrams, line) ||
            is_general(bigrams, line) || is_retry_in_general(bigrams, line));
}
