import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const textOf = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

/** What works off the payment provider's events of connected accounts, as the tasks name it, with the text of its file. */
const processors = (): { name: string; text: string }[] => {
  const tasks = textOf('src/app-tasks.ts')
  const names = [...(/stripe: async \(event\) => \{([^}]+)\}/.exec(tasks)?.[1] ?? '').matchAll(/await (\w+)\(event\)/g)]
  return names
    .map(([, name = '']) => {
      const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '\\./([^']+)'`).exec(tasks)?.[1]
      return { name, text: textOf(`src/${from}`) }
    })
    .filter(({ name, text }) => {
      const [, own = ''] = text.split(`export const ${name} =`)
      // those of our own side have an endpoint of their own
      return !own.split('\n}\n')[0]?.includes("event.account !== ''")
    })
}

/** Whole names of events, and beginnings that end with a dot. */
const heardBy = (text: string): string[] =>
  [
    ...text.matchAll(
      /'((?:account|capability|charge|checkout|payment_intent|payment_method|payout|person|refund|setup_intent)\.[a-z_.]*)'/g,
    ),
  ].map(([, event = '']) => event)

it('the events that an operator is told to subscribe to are those that somebody works off', () => {
  const found = processors()
  expect(found.map(({ name }) => name)).toContain('processPayoutEvent')
  for (const { name, text } of found) expect([name, heardBy(text).length > 0]).toEqual([name, true])
  const heard = [...new Set(found.flatMap(({ text }) => heardBy(text)))]
  const line =
    /The second endpoint \(connected accounts\) needs (.+?`)\. /.exec(textOf('docs/operations.md'))?.[1] ?? ''
  // `refund.*` is the beginning `refund.`
  const documented = [...line.matchAll(/`([a-z_.]+)\*?`/g)].map(([, event = '']) => event)
  const fits = (one: string, other: string) => one === other || (other.endsWith('.') && one.startsWith(other))
  expect(documented.filter((event) => !heard.some((one) => fits(event, one)))).toEqual([])
  // of a beginning those are told that say something: not each of them has to be
  expect(heard.filter((one) => !documented.some((event) => fits(one, event) || fits(event, one)))).toEqual([])
})
