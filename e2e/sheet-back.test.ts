import { expect, test } from 'vitest'
import { withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })

test('Back closes an open sheet and stays on the screen, and leaves nothing behind in the history', async () => {
  const { luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd'] })
  const as = { email: luis.email, password }
  const { page } = await openPage({ width: 390, as, path: '/route-map' })
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.waitForURL('**/employee-dashboard')
  const note = page.getByRole('button', { name: 'Note…', exact: true })
  await note.waitFor()
  const length = await page.evaluate(() => history.length)
  const sheet = page.getByRole('dialog')
  const isMarked = () => page.evaluate(() => 'swathSheet' in (history.state ?? {}))
  const isOn = (path: string) => expect.poll(() => new URL(page.url()).pathname).toBe(path)
  const opened = async () => {
    await note.click()
    await sheet.waitFor()
    await expect.poll(isMarked).toBe(true)
  }
  const closed = async () => {
    await sheet.waitFor({ state: 'hidden' })
    await expect.poll(isMarked).toBe(false)
    await isOn('/employee-dashboard')
  }

  await step('Back closes it, and what was typed is there again', async () => {
    await opened()
    await sheet.getByRole('textbox').first().fill('Gate stuck')
    await page.goBack()
    await closed()
    await opened()
    expect(await sheet.getByRole('textbox').first().inputValue()).toBe('Gate stuck')
  })
  await step('the cross closes it, and its entry goes with it', async () => {
    await sheet.getByRole('button', { name: 'Close' }).click()
    await closed()
    expect(await page.evaluate(() => history.length)).toBe(length + 1)
  })
  await step('forward shows nothing, and stays', async () => {
    await page.goForward()
    await closed()
  })
  await step('one sheet that takes the place of another holds one entry', async () => {
    await page.getByRole('button', { name: /^2, to do: / }).click()
    await sheet.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
    await sheet.getByRole('button', { name: 'Note…', exact: true }).click()
    await sheet.getByRole('heading', { name: /45 Wassaw Rd/ }).waitFor()
    await expect.poll(isMarked).toBe(true)
    expect(await page.evaluate(() => history.length)).toBe(length + 1)
    await page.goBack()
    await closed()
  })
  await step('a screen that was opened in a sheet leads back with one step', async () => {
    await page.getByRole('button', { name: /^2, to do: / }).click()
    await sheet.waitFor()
    await sheet.getByRole('link', { name: 'Write to the office' }).click()
    await isOn('/employee-chat')
    await page.getByLabel('Message', { exact: true }).waitFor()
    await page.goBack()
    await note.waitFor()
    await closed()
  })
  await step('without a sheet Back leaves the screen', async () => {
    await page.goBack()
    await isOn('/route-map')
  })
})
