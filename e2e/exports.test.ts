import { describe, expect, test } from 'vitest'
import { runTasks } from '../src/test/api.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The owner takes everything away: makes the archive, sees it come, and saves it. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('everything is exported and saved', async () => {
    const { owner, timeZone } = await aNewBusiness()
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/profile?section=data' })
    await page.getByRole('heading', { name: 'Export everything' }).waitFor()
    await page.getByLabel('With photos and papers').click()
    await page.getByRole('button', { name: 'Make an export' }).click()
    await page.getByText('Making the archive').waitFor()
    await expectAccessible(page)
    await runTasks()
    const link = page.getByRole('link', { name: /^Download \(\d+ KB\)$/ })
    await link.waitFor()
    await page.getByText('without photos and papers').waitFor()
    await expectAccessible(page)
    const coming = page.waitForEvent('download')
    await link.click()
    expect((await coming).suggestedFilename()).toMatch(/^[a-z0-9-]+-\d{4}-\d{2}-\d{2}\.zip$/)
  })
})
