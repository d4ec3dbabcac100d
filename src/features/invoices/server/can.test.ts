import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { type Api, stranger } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aLawn, today } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { noLateFees } from '../../businesses/latefees/rules.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { invoicesApi } from '../contract.ts'
import type { InvoiceAction } from '../rules.ts'

const reason = 'Rained off'
const anything = { version: 1, termsDays: 14, lines: [{ description: 'Cleanup', quantity: 1, unitPriceCents: 5000 }] }

const acts: Acts<InvoiceAction> = {
  send: (api, id) => api.call(invoicesApi.send, { params: { id } }),
  issue: (api, id) => api.call(invoicesApi.issue, { params: { id } }),
  edit: async (api, id) => {
    const { body, status } = await api.call(invoicesApi.get, { params: { id } })
    if (status !== 200) return api.call(invoicesApi.change, { params: { id }, body: anything })
    const { version, termsDays, message, lines } = body
    return api.call(invoicesApi.change, { params: { id }, body: { version, termsDays, message, lines } })
  },
  remind: (api, id) => api.call(invoicesApi.remind, { params: { id } }),
  pay: (api, id) =>
    api.call(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'cash', amountCents: 100, receivedOn: today() },
    }),
  useCredit: (api, id) => api.call(correctionsApi.useCredit, { params: { id }, body: { amountCents: 100 } }),
  credit: (api, id) => api.call(correctionsApi.creditInvoice, { params: { id }, body: { amountCents: 100, reason } }),
  writeOff: (api, id) => api.call(invoicesApi.writeOff, { params: { id }, body: { reason } }),
  reinstate: (api, id) => api.call(invoicesApi.reinstate, { params: { id } }),
  void: (api, id) => api.call(invoicesApi.voidInvoice, { params: { id } }),
  waiveFee: (api, id) => api.call(invoicesApi.waiveFee, { params: { id }, body: { reason } }),
  settleFee: (api, id) => api.call(invoicesApi.settleFee, { params: { id }, body: { charge: false } }),
  print: (api, id) => api.raw({ method: 'GET', url: invoicesApi.pdf.path.replace(':id', id) }),
  promise: (api, id) => api.call(invoicesApi.setReminders, { params: { id }, body: { promisedOn: today() } }),
  stopReminders: (api, id) => api.call(invoicesApi.setReminders, { params: { id }, body: { stop: reason } }),
  startReminders: (api, id) => api.call(invoicesApi.setReminders, { params: { id }, body: { start: true } }),
  makeAgain: async (api, id) => {
    const { body } = await api.call(invoicesApi.get, { params: { id } })
    const customerId = body?.customer?.id ?? newId()
    const lines = [{ description: 'Cleanup', quantity: 1, unitPriceCents: 5000 }]
    return api.call(invoicesApi.create, { body: { customerId, madeFrom: id, lines } })
  },
}

const draft = async (own: TestBusiness, email: string | null = 'rebecca@odom.test') => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db.updateTable('customers').set({ email }).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  const lines = [{ description: 'Cleanup', quantity: 1, unitPriceCents: 5000 }]
  return (await own.api.ok(invoicesApi.create, { body: { customerId, lines } })).id
}
const done = async (own: TestBusiness, id: string, ...verbs: InvoiceAction[]) => {
  for (const verb of verbs) expect((await acts[verb](own.api, id)).status).toBe(200)
  return id
}

/** An invoice in each state that a rule knows, and what somebody with all rights may do with it. */
const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: InvoiceAction[] }> = {
  'a draft': { make: (own) => draft(own), may: ['send', 'issue', 'edit', 'pay', 'void', 'print'] },
  'a draft without e-mail': { make: (own) => draft(own, null), may: ['issue', 'edit', 'pay', 'void', 'print'] },
  'an issued one': {
    make: async (own) => done(own, await draft(own), 'issue'),
    may: ['send', 'remind', 'pay', 'credit', 'writeOff', 'void', 'print', 'promise', 'stopReminders'],
  },
  'an issued one without e-mail': {
    make: async (own) => done(own, await draft(own, null), 'issue'),
    may: ['pay', 'credit', 'writeOff', 'void', 'print', 'promise', 'stopReminders'],
  },
  'one reminded of today': {
    make: async (own) => done(own, await draft(own), 'issue', 'remind'),
    may: ['send', 'pay', 'credit', 'writeOff', 'void', 'print', 'promise', 'stopReminders'],
  },
  'one whose payment page is open': {
    make: async (own) => {
      const id = await done(own, await draft(own), 'issue')
      const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
      const token = (publicPath ?? '').slice(paths.invoice('').length)
      await stranger.ok(paymentsApi.pay, { params: { token } })
      return id
    },
    // voiding it or writing it off ends the page first
    may: ['send', 'remind', 'pay', 'credit', 'writeOff', 'void', 'print', 'promise', 'stopReminders'],
  },
  'one paid in part': {
    make: async (own) => done(own, await draft(own), 'issue', 'pay'),
    may: ['send', 'remind', 'pay', 'credit', 'writeOff', 'print', 'promise', 'stopReminders'],
  },
  'one whose reminders are stopped': {
    make: async (own) => done(own, await draft(own), 'issue', 'stopReminders'),
    may: ['send', 'remind', 'pay', 'credit', 'writeOff', 'void', 'print', 'promise', 'startReminders'],
  },
  'one whose late fee waits for an answer': {
    make: async (own) => {
      const id = await done(own, await draft(own), 'issue')
      const { version } = await own.api.ok(businessesApi.get, {})
      const lateFees = { ...noLateFees, kind: 'fixed' as const, graceDays: 10 }
      await own.api.ok(businessesApi.update, { body: { lateFees, invoiceTerms: 'Late pays more.', version } })
      await own.db(async (db) => {
        await db
          .updateTable('businesses')
          .set({ lateFeesFrom: addDays(today(), -400) })
          .where('businessId', '=', own.id)
          .execute()
        await db
          .updateTable('invoices')
          .set({
            dueOn: addDays(today(), -20),
            issueOn: addDays(today(), -30),
            remindersStopped: 'They wrote',
            answeredAt: new Date().toISOString(),
          })
          .where('businessId', '=', own.id)
          .where('id', '=', id)
          .execute()
      })
      return id
    },
    may: ['send', 'remind', 'pay', 'credit', 'writeOff', 'void', 'settleFee', 'print', 'promise', 'startReminders'],
  },
  'a paid one': {
    make: async (own) => {
      const id = await draft(own)
      const body = { method: 'cash' as const, amountCents: 5000, receivedOn: today() }
      await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
      return id
    },
    may: ['credit', 'print'],
  },
  'an open one of somebody with credit': {
    make: async (own) => {
      const id = await done(own, await draft(own), 'issue')
      const { customer } = await own.api.ok(invoicesApi.get, { params: { id } })
      await own.api.ok(correctionsApi.giveCredit, { params: { id: customer.id }, body: { amountCents: 500, reason } })
      return id
    },
    may: ['send', 'remind', 'pay', 'useCredit', 'credit', 'writeOff', 'void', 'print', 'promise', 'stopReminders'],
  },
  'a written off one': {
    make: async (own) => done(own, await draft(own), 'issue', 'writeOff'),
    may: ['reinstate', 'print'],
  },
  'a late fee': {
    make: async (own) => {
      const late = await done(own, await draft(own), 'issue')
      const id = await done(own, await draft(own), 'issue')
      await own.db((db) =>
        db
          .insertInto('lateFees')
          .values({
            businessId: own.id,
            id: newId(),
            invoiceId: late,
            feeInvoiceId: id,
            period: 0,
            amountCents: 5000,
            onDay: today(),
          })
          .execute(),
      )
      return id
    },
    may: ['send', 'remind', 'pay', 'credit', 'writeOff', 'void', 'waiveFee', 'print', 'promise', 'stopReminders'],
  },
  'a void one': { make: async (own) => done(own, await draft(own), 'void'), may: ['makeAgain'] },
}

const read = (api: Api, id: string) => api.call(invoicesApi.get, { params: { id } })

describe('what may be done with an invoice stands on it, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => make(own), read, acts)).toEqual(may)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    expect(await doneOf(clerk.api, () => make(own), read, acts)).toEqual(may)
    const id = await make(own)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['customers', 'schedule'] })
    for (const api of [dispatcher.api, (await own.employee()).api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })
})
