// Sends one small request with an official SDK and prints what a developer would see: the answer's text, or the error as
// Node prints it when nobody catches it. usage: node sdk.mjs WIRE BASE_URL MODEL (key in SDK_KEY)
import { inspect } from 'node:util';
import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';

const [wire, baseURL, model] = process.argv.slice(2);
const options = { baseURL, apiKey: process.env.SDK_KEY, maxRetries: 0, timeout: 3000 };
const ask = {
  async responses() {
    const stream = await new OpenAI(options).responses.create({ model, input: 'ping', stream: true });
    let text = '';
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'response.failed') throw new Error(JSON.stringify(event.response.error));
    }
    return text;
  },
  async chat() {
    const messages = [{ role: 'user', content: 'ping' }];
    const answer = await new OpenAI(options).chat.completions.create({ model, messages });
    return answer.choices[0].message.content;
  },
  async messages() {
    const messages = [{ role: 'user', content: 'ping' }];
    const answer = await new Anthropic(options).messages.create({ model, max_tokens: 16, messages });
    return answer.content[0].text;
  },
};

try {
  console.log(await ask[wire]());
} catch (error) {
  console.error(inspect(error, { depth: 6 }));
  process.exitCode = 1;
}
