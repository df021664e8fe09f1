// One small request with an official SDK as a program would make it: key and base URL come from the environment, retries
// are the SDK's own. usage: node observe.mjs openai|anthropic MODEL
import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';

const [vendor, model] = process.argv.slice(2);
const ask = {
  async openai() {
    return (await new OpenAI().responses.create({ model, input: 'ping' })).output_text;
  },
  async anthropic() {
    const messages = [{ role: 'user', content: 'ping' }];
    return (await new Anthropic().messages.create({ model, max_tokens: 16, messages })).content[0].text;
  },
};
console.log(await ask[vendor]());
