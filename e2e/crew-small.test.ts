import sharp from 'sharp'
import { expect, test } from 'vitest'
import { usualSkips } from '../src/features/businesses/skips/rules.ts'
import { withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, aPhoto, crewHands } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })

test('what a phone says is whole and in sight: a time, an error, news over a sheet, a skipped stop at night', async () => {
  const { business, luis } = await aCrewDay({
    streets: ['7 Bay St', '45 Wassaw Rd'],
    stopOf: (index) => ({ latitude: 32.05 + index / 100, longitude: -81.1 + index / 100 }),
  })
  const rules = usualSkips.map((rule) => ({ ...rule, needsPhoto: rule.code === 'locked_gate' }))
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ skipRules: JSON.stringify(rules) })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { page } = await openPage({ width: 320, as: { email: luis.email, password }, path: '/employee-dashboard' })
  const settle = (language: 'en' | 'es', theme: 'sun' | 'night') =>
    page.evaluate((kept) => localStorage.setItem('swath.crew.settings', JSON.stringify(kept)), {
      ...{ language, theme, photosOn: 'any' },
    })
  const hands = crewHands(page)
  await page.getByRole('button', { name: 'Clock in' }).click()
  await hands.allSent()

  await step('no part of the clock is torn in two', async () => {
    await settle('es', 'sun')
    await page.reload()
    await page
      .getByText(/^Entrada /)
      .first()
      .waitFor()
    const rows = await page
      .locator('.f-head__part')
      .evaluateAll((parts) => parts.map((part) => new Set([...part.getClientRects()].map(({ top }) => top)).size))
    expect.soft(rows).toEqual([1, 1])
    await settle('en', 'night')
    await page.reload()
  })
  const sheet = page.getByRole('dialog')
  await step('news stands over the dim of an open sheet', async () => {
    await page.getByRole('button', { name: 'Skip…' }).click()
    await sheet.getByText('Locked gate').click()
    const camera = sheet.locator('input[type=file]').first()
    const news = page.locator('.ui-toast', { hasText: 'Photo kept' })
    // it goes after two seconds: another photo brings it again
    const look = async () => {
      await camera.setInputFiles(await aPhoto())
      await news.waitFor()
      const own = await news.evaluate((element) =>
        (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).slice(0, 3).map(Number),
      )
      const picture = sharp(await news.screenshot({ timeout: 1_500 })).removeAlpha()
      const { height } = await picture.metadata()
      const inside = { left: 4, top: Math.floor(height / 2), width: 1, height: 1 }
      return { own, seen: [...(await picture.extract(inside).raw().toBuffer())] }
    }
    await expect
      .poll(
        async () => {
          const { own, seen } = await look().catch(() => ({ own: [], seen: null }))
          return seen !== null && seen.join() === own.join()
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  })
  await step('all of what is wrong stands above the button', async () => {
    await sheet.getByText('Other', { exact: true }).click()
    await sheet.getByRole('button', { name: 'Skip this stop' }).click()
    const error = sheet.locator('.f-input__error')
    await error.waitFor()
    const covered = () =>
      error.evaluate((element) => {
        const stay = document.querySelector('dialog[open] .f-sheet__stay')
        return element.getBoundingClientRect().bottom - (stay?.getBoundingClientRect().top ?? 0)
      })
    await expect.poll(covered).toBeLessThanOrEqual(0)
    await sheet.getByRole('textbox').fill('Dog')
    await sheet.getByRole('button', { name: 'Skip this stop' }).click()
    await sheet.waitFor({ state: 'hidden' })
  })
  await step('a skipped stop is seen on the sketch at night', async () => {
    await page.getByRole('link', { name: 'Route', exact: true }).click()
    const skipped = page.locator('.c-sketch .is-skipped')
    await skipped.waitFor()
    const light = (color: string): number => {
      const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => {
        const share = Number(value) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (a: string, b: string) =>
      (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)
    const { edge, number, fill, ground } = await skipped.evaluate((group) => {
      const circle = getComputedStyle(group.querySelector('circle') as Element)
      return {
        edge: circle.stroke,
        fill: circle.fill,
        number: getComputedStyle(group.querySelector('text') as Element).fill,
        ground: getComputedStyle(group.closest('svg') as Element).backgroundColor,
      }
    })
    expect.soft(contrast(edge, ground)).toBeGreaterThanOrEqual(3)
    expect.soft(contrast(number, fill)).toBeGreaterThanOrEqual(4.5)
  })
})
