import { describe, expect, test } from 'vitest'
import { tasksApi } from '../src/features/tasks/contract.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A call is logged from the customer's record, comes back as a task, and all of it stands in one timeline. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('a call takes two presses, its follow-up stands in “Needs you” and is done there', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aLawn(business)
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: `/customers?tab=manage&customerId=${customerId}`,
    })
    const panel = page.getByRole('dialog').first()
    await panel.getByRole('button', { name: 'Log call' }).click()
    await page.getByRole('button', { name: 'Save call' }).click()
    await page.getByText('Called: logged').waitFor()

    // By the keyboard alone, with a follow-up for tomorrow.
    await panel.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.keyboard.press('l')
    const form = page.getByRole('form', { name: 'Call' })
    await form.getByRole('textbox', { name: 'Note' }).waitFor()
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Asked about aeration.')
    await form.getByRole('button', { name: /^Another day/ }).click()
    await form.getByRole('textbox', { name: 'Day' }).fill('today')
    await form.getByRole('textbox', { name: 'What is to be done' }).fill('Call with the aeration price')
    await expectAccessible(page)
    await page.keyboard.press('Control+Enter')
    const tasks = panel.getByRole('region', { name: 'Tasks' })
    await tasks.getByText('Call with the aeration price').waitFor()
    await expectAccessible(page)

    await panel.getByRole('button', { name: 'Timeline', exact: true }).click()
    await panel.getByText('Asked about aeration.').waitFor()
    await panel.getByRole('textbox', { name: 'New note' }).fill('Left a card at the neighbor.')
    await panel.getByRole('button', { name: 'Add note' }).click()
    await panel.getByText('Left a card at the neighbor.', { exact: true }).waitFor()
    await expectAccessible(page)

    await page.goto(new URL('/dashboard', page.url()).href)
    await page.getByRole('link', { name: 'Call with the aeration price' }).waitFor()
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByText('Done: Call with the aeration price').waitFor()
    expect((await business.api.ok(tasksApi.list, { query: {} })).items).toEqual([])

    await page.goto(new URL('/dashboard?tasks=mine', page.url()).href)
    await page.getByText('Nothing to do').waitFor()
    await page.getByRole('button', { name: 'Add a task' }).click()
    const task = page.getByRole('form', { name: 'Task' })
    await task.getByRole('textbox', { name: 'What is to be done' }).fill('Order blades')
    await task.getByRole('button', { name: 'Add task' }).click()
    await page.getByRole('button', { name: 'Done: Order blades' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done: Order blades' }).click()
    await page.getByText('Nothing to do').waitFor()
  })
})
