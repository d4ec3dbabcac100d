import { expect, test } from 'vitest'
import { demoPassword } from '../src/demo/business.ts'
import { ownerPool } from '../src/platform/db/database.ts'
import { runDueTasks } from '../src/platform/tasks/runner.ts'
import { aBusiness } from '../src/test/factories.ts'
import { anOwner } from '../src/test/prospects.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'test' })

/** Work that has run out of tries. */
const gaveUp = async (name: string, error: string, payload: object = {}): Promise<void> => {
  await ownerPool().query('select graphile_worker.add_job($1, $2::json, max_attempts => 1)', [
    name,
    JSON.stringify(payload),
  ])
  const run = () => Promise.reject(new Error(error))
  await runDueTasks([], [{ name, run }])
}

test.each(widths(390))('what gave up is tried again or discarded at %i', async (width) => {
  await anOwner()
  const { id } = await aBusiness()
  const long = `connect ECONNREFUSED mail.example.com:587 ${'while handing over message '.repeat(8)}`
  await gaveUp('messages.send', long, { businessId: id, payload: {} })
  await gaveUp('system.tidy-all', 'canceling statement due to statement timeout')
  const { page, complaints } = await openPage({ width, path: '/owner/leads' })
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Access Leads Dashboard' }).click()
  await page.getByRole('button', { name: 'Failed tasks' }).click()
  await page.getByText('canceling statement due to statement timeout').waitFor()
  await expectAccessible(page)
  const pressIn = (task: string, button: string) =>
    page.getByRole('listitem').filter({ hasText: task }).getByRole('button', { name: button }).click()
  await pressIn('system.tidy-all', 'Retry')
  await expect.poll(() => page.getByRole('heading', { name: 'system.tidy-all' }).count()).toBe(0)
  await pressIn('messages.send', 'Discard')
  await page.getByRole('button', { name: 'Discard the task' }).click()
  await page.getByText('No task has failed').waitFor()
  expectQuiet(complaints)
})
