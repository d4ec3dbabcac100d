import { expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { customersApi } from '../src/features/customers/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { remindBySchedule } from '../src/features/invoices/reminders/server/commands.ts'
import { messagesApi } from '../src/features/messages/contract.ts'
import { receiveText } from '../src/features/messages/server/inbound/commands.ts'
import { systemActor } from '../src/platform/actor.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { runTasks } from '../src/test/api.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Customers who want their papers by text: an overdue invoice reminds by text, its link opens on a phone and pays; a STOP leads back to mail. */

const { openPage } = withBrowser({ afresh: 'file' })

test('a reminder by text leads to the invoice on a phone, paying ends it, and a STOP falls back to mail', async () => {
  const { business, owner, timeZone } = await aNewBusiness()
  const today = dayOf(new Date(), timeZone)
  const { version } = await business.api.ok(businessesApi.get, {})
  await business.api.ok(businessesApi.update, { body: { invoiceReminders: [0, 7, 14], paperWay: 'text', version } })
  const aPayer = async (email: string, phone: string) => {
    const { customerId } = await aLawn(business)
    const customer = await business.api.ok(customersApi.get, { params: { id: customerId } })
    const body = { email, phone, version: customer.version }
    await business.api.ok(customersApi.update, { params: { id: customerId }, body })
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
    const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await business.api.ok(invoicesApi.send, { params: { id } })
    await runTasks()
    return { id, customerId, phone }
  }
  const ann = await aPayer('ann@test.swath.test', '+19125550177')
  const bob = await aPayer('bob@test.swath.test', '+19125550178')
  /** As if it had been issued long ago and nobody had paid: it is so many days late, and was last reminded of days ago. */
  const letGo = async (daysLate: number) => {
    await business.db(async (db) => {
      const own = db.updateTable('invoices').where('businessId', '=', business.id)
      await own.set({ issueOn: addDays(today, -daysLate - 14), dueOn: addDays(today, -daysLate) }).execute()
      const before = `${addDays(today, -5)}T12:00:00.000Z`
      await own.set({ lastRemindedAt: before }).where('lastRemindedAt', 'is not', null).execute()
    })
    await remindBySchedule(systemActor(business.id))
    await runTasks()
  }
  const sentTo = async ({ customerId }: { customerId: string }) =>
    (await business.api.ok(messagesApi.list, { query: { customerId, limit: 50 } })).items
      .filter(({ direction }) => direction === 'outbound')
      .reverse()
  const reminders = async (who: { customerId: string }) =>
    (await sentTo(who)).filter(({ text }) => /friendly reminder/.test(text)).map(({ channel }) => channel)
  const invoice = (id: string) => business.api.ok(invoicesApi.get, { params: { id } })

  await letGo(7)
  expect([await reminders(ann), await reminders(bob)]).toEqual([['sms'], ['sms']])
  const reminder = (await sentTo(ann)).at(-1)?.text ?? ''
  const link = /https?:\/\/\S+\/i\/\S+/.exec(reminder)?.[0] ?? ''
  const { page } = await openPage({ width: 390, path: new URL(link).pathname })
  await step('the link of the text opens the invoice on a phone, which says that it is late', async () => {
    await page.getByRole('button', { name: 'Pay $55.00' }).waitFor()
    await expectAccessible(page)
  })
  await step('it is paid there, and nobody is reminded of it any more', async () => {
    await page.getByRole('button', { name: 'Pay $55.00' }).click()
    await page.waitForURL('**/local/checkout/**')
    await page.getByRole('button', { name: '4242 4242 4242 4242' }).click()
    await page.getByRole('button', { name: 'Pay $55.00' }).click()
    await page.getByRole('heading', { name: /^Paid\. Thank you/ }).waitFor()
    await runTasks()
    expect((await sentTo(ann)).at(-1)).toMatchObject({ channel: 'sms', text: expect.stringContaining('is paid') })
  })
  await receiveText(business.id, { from: bob.phone, body: 'STOP', providerId: newId(), provider: 'local' })
  await runTasks()
  const { page: office } = await openPage({ as: owner, timezoneId: timeZone, path: linkTo.invoice(bob.id) })
  await step('who replied STOP gets it by mail from then on, and the office reads so before it is sent', async () => {
    await office.getByText(/No text goes to .*STOP.* It goes by e-mail/).waitFor()
    await expectAccessible(office)
    await letGo(14)
    expect([await reminders(ann), (await invoice(ann.id)).status]).toEqual([['sms'], 'paid'])
    const after = await sentTo(bob)
    expect(after.at(-1)).toMatchObject({ channel: 'email', status: 'sent' })
    expect(after.at(-1)?.subject).toMatch(/^A reminder from Marsh Side Lawns/)
    expect((await invoice(bob.id)).reminders.stopped).toBeNull()
  })
  await step('without a mail it says so in the office', async () => {
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: null })
        .where('businessId', '=', business.id)
        .where('id', '=', bob.customerId)
        .execute(),
    )
    await office.setViewportSize({ width: 390, height: 844 })
    await office.goto(linkTo.invoice(bob.id))
    await office.getByText(/No e-mail on file, and no texts: .*STOP/).waitFor()
    await expectAccessible(office)
  })
})
