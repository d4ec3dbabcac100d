import { expect, test } from 'vitest'
import { withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, commandsAt } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** A glove that trembles: two taps where one was meant. What comes up under the finger is not pressed by it. */
test('a doubled tap does one thing', async () => {
  const { business, visits, luis } = await aCrewDay({ streets: ['132 Laurel Green Ct', '1513 Cathy St'] })
  const [first = '', second = ''] = visits
  const { page } = await openPage({ width: 390, as: { email: luis.email, password }, path: '/employee-dashboard' })
  /** @param share where on the button, from its left: another tap is one at another place */
  const doubled = async (name: string, share: number): Promise<void> => {
    const button = page.getByRole('button', { name, exact: true })
    await button.waitFor()
    const box = await button.boundingBox()
    if (!box) throw new Error(`${name} is not to be seen.`)
    const [x, y] = [box.x + box.width * share, box.y + box.height / 2]
    await page.touchscreen.tap(x, y)
    // the second half comes when the next thing is there already
    await button.waitFor({ state: 'detached' })
    await page.touchscreen.tap(x + 3, y - 2)
  }
  const allSent = () => page.getByText('All sent').waitFor({ timeout: 60_000 })
  await step('clock in does not begin the lawn', async () => {
    await doubled('Clock in', 0.3)
    await page.getByText(/^Clocked in/).waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  })
  await step('start does not finish it', async () => {
    await doubled('Start', 0.7)
    await page.getByText(/^On site 0 of/).waitFor()
    await allSent()
    expect(await commandsAt(business, first)).toEqual(['start'])
  })
  await step('pause does not go on', async () => {
    await doubled('Pause', 0.5)
    await page.getByText(/^Paused/).waitFor()
    await page.getByRole('button', { name: 'Go on', exact: true }).waitFor()
    await allSent()
    expect(await commandsAt(business, first)).toEqual(['pause', 'start'])
  })
  await step('finish does not begin the next', async () => {
    await page.getByRole('button', { name: 'Go on', exact: true }).tap()
    await doubled('Finish', 0.8)
    await page.getByText('Finished 132 Laurel Green Ct').waitFor()
    await allSent()
    expect(await commandsAt(business, second)).toEqual([])
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  })
})
