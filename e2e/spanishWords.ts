import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Words that stand in almost every English sentence, and in no Spanish one. */
const english =
  /\b(the|you|your|this|that|with|not|and|are|was|office|phone|today|tomorrow|week|stops?|photos?|send|sent|signal|close|back|skip|note|clock|break|start|finish|hours?|on|off|of|to|at|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Apr|Aug|Dec)\b/

/** What the business wrote, in whatever language it writes. */
const data = [
  'Close the gate',
  'Mow, edge, blow',
  'Whitfield Lawn',
  'Swath',
  'Google',
  'Hedge trimming',
  'Weed control',
  'Trimec Classic',
  'Broadcast spray',
  'Dollarweed',
  'Blades and deck',
  'Isuzu NPR',
  'Dog in back yard.',
  'On the street',
  'North',
  'Chat',
]

/** All that a person sees or hears on the page, without what the business wrote. */
const wordsOn = async (within: Page | Locator): Promise<string[]> => {
  const seen = (await ('goto' in within ? within.locator('body') : within).allInnerTexts()).flatMap((text) =>
    text.split('\n'),
  )
  const root = 'goto' in within ? within.locator('body') : within
  const heard = await root.evaluate((element) => {
    const labels = [...element.querySelectorAll('[aria-label], [placeholder], [alt]')].flatMap((one) =>
      ['aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
    )
    return [...labels, document.title]
  })
  const lines = [...seen, ...heard]
  return [...new Set(lines.map((line) => data.reduce((rest, known) => rest.replaceAll(known, ''), line).trim()))]
}

/** Nothing on the page, or on the part of it, is English. */
export const expectSpanish = async (page: Page | Locator, where: string): Promise<void> => {
  // a screen on its way may still say what it waits for
  await expect
    .poll(async () => (await wordsOn(page)).filter((line) => english.test(line)), { message: where })
    .toEqual([])
}
