import { existsSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demoPassword } from '../src/demo/business.ts'
import { sprintApi } from '../src/features/prospects/sprint/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { withProspects } from '../src/platform/db/prospects.ts'
import { anApplicant, theOwner } from '../src/test/funnel.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

// The onboarding fee: confirmed and mailed on the desk, paid by the prospect from the link.

const { openPage } = withBrowser({ afresh: 'test' })
const shots = process.env.SWATH_SHOTS

test('a confirmed fee is paid from its link, and the page says so', async () => {
  if (shots && !existsSync(shots)) mkdirSync(shots, { recursive: true })
  const { leadId, email } = await anApplicant()
  await withProspects((db) => db.updateTable('settings').set({ monthlyAdmissions: 1000 }).execute())
  const owner = await theOwner()
  const given = { params: { leadId }, body: { note: '' } }
  await owner.ok(sprintApi.admit, given)
  await withProspects((db) =>
    db
      .updateTable('sprints')
      .set({ status: 'missed', feeStatus: 'due', startedAt: clock.iso(), endsAt: clock.iso() })
      .where('leadId', '=', leadId)
      .execute(),
  )
  const desk = await openPage({ path: '/owner/leads' })
  await desk.page.getByLabel('Username').fill('owner')
  await desk.page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await desk.page.getByRole('button', { name: 'Access Leads Dashboard' }).click()
  await desk.page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Details' }).click()
  const details = desk.page.getByRole('dialog')
  await details.getByRole('button', { name: 'Confirm fee' }).click()
  await details.getByText('Nothing was mailed yet').waitFor()
  const feeUrl = await details.getByRole('link', { name: 'Checkout link' }).getAttribute('href')
  await details.getByRole('button', { name: 'Mail the checkout link' }).click()
  await details.getByText(/^Mailed /).waitFor()
  await details.getByRole('button', { name: 'Mail the checkout link' }).click()
  await desk.page.getByText('The link was mailed today already; it was not sent twice').waitFor()
  await expectAccessible(desk.page)
  await details.getByText(/^Mailed /).scrollIntoViewIfNeeded()
  if (shots) await desk.page.screenshot({ path: `${shots}/fee-desk-1440.png` })
  expectQuiet(desk.complaints, /401/)
  const { pathname, hash } = new URL(feeUrl ?? '')
  const { page, complaints } = await openPage({ width: 390, path: `${pathname}${hash}` })
  const pay = page.getByRole('button', { name: 'Pay $299' })
  await pay.waitFor()
  await expectAccessible(page)
  if (shots) await page.screenshot({ path: `${shots}/fee-due-390.png`, fullPage: true })
  await pay.click()
  await page.getByText('Setup Sprint: onboarding fee').waitFor()
  if (shots) await page.screenshot({ path: `${shots}/fee-checkout-390.png`, fullPage: true })
  await page.getByRole('button', { name: 'Pay $299.00' }).click()
  await page.getByText('Your onboarding fee is paid. Thank you!').waitFor()
  expect(await pay.count()).toBe(0)
  await expectAccessible(page)
  if (shots) await page.screenshot({ path: `${shots}/fee-paid-390.png`, fullPage: true })
  expect((await owner.ok(sprintApi.ofLead, { params: { leadId } })).sprint?.feeStatus).toBe('paid')
  expectQuiet(complaints)
})
