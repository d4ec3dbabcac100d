import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import { task } from '../../../platform/tasks/task.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { clip } from '../../../shared/wire-text.ts'
import { isWaiting, reminderWords } from '../rules.ts'
import { customerFactTx, factTx, quoteFactTx } from './commands.ts'
import { receiveLeadTx } from './receive.ts'
import { lockLead, remindOfLead, tellAbout, waitingNotice } from './rows.ts'

/** A lead still waits for the first answer: whoever has it hears of it, else the office. */
export const remindOffice = task({
  ...remindOfLead,
  run: (actor, { leadId, reminder }) =>
    withTenant(actor, async (db) => {
      const lead = await lockLead(db, leadId).catch(() => null)
      if (!lead || !isWaiting(lead)) return
      await tellAbout(db, lead, {
        title: `${lead.name} ${reminderWords[reminder]}`,
        content: clip(lead.wants, 200),
        dedupeKey: `${waitingNotice(lead)}:${reminder}`,
      })
    }),
})

/** Somebody of the business wrote to a lead: the first answer. */
export const onMessageLeft = subscriber({
  name: 'leads.onMessageLeft',
  on: 'message.left',
  run: (actor, { at, leadId, customerId }) =>
    withTenant(actor, async (db) => {
      if (leadId) {
        const lead = await lockLead(db, leadId).catch(() => null)
        if (lead) await factTx(db, lead, 'replied', at)
      } else if (customerId) await customerFactTx(db, customerId, 'replied', at)
    }),
})

/** Somebody whom nobody knows wrote, by text or by mail: a lead, or a lead that asks again. */
export const onUnknownMessage = subscriber({
  name: 'leads.onUnknownText',
  on: 'message.unknown',
  run: (actor, { channel = 'sms', address, name, through, text }) =>
    withTenant(actor, async (db) => {
      const wants = clip(text, 2000)
      await receiveLeadTx(
        db,
        channel === 'sms'
          ? { name: formatPhone(address), phone: address, wants, source: 'text' }
          : {
              name: clip(name || address, 120),
              email: address,
              wants,
              source: 'email',
              sourceDetail: through ? clip(`through ${through}`, 300) : '',
            },
        'message',
      )
    }),
})

/** Work was booked for a customer who came of a lead: won. */
export const onJobBooked = subscriber({
  name: 'leads.onJobBooked',
  on: 'job.booked',
  run: (actor, { at, ...told }) =>
    withTenant(actor, async (db) => {
      // What waited since before places were told names its customers alone.
      const { booked, customerIds = [] } = told as Partial<typeof told> & { customerIds?: readonly string[] }
      for (const { customerId, propertyId, quoteId } of booked ??
        customerIds.map((one) => ({ customerId: one, propertyId: null, quoteId: null })))
        if (quoteId) await quoteFactTx(db, { quoteId, customerId, at }, 'booked')
        else await customerFactTx(db, customerId, 'booked', at, { leadId: null, since: at, propertyId, isByHand: true })
    }),
})

/** A customer who came of a lead was sent a quote. */
export const onQuoteSent = subscriber({
  name: 'leads.onQuoteSent',
  on: 'quote.sent',
  run: (actor, told) => withTenant(actor, (db) => quoteFactTx(db, told, 'quoteSent')),
})

/** They said yes to it. */
export const onQuoteApproved = subscriber({
  name: 'leads.onQuoteApproved',
  on: 'quote.approved',
  run: (actor, told) => withTenant(actor, (db) => quoteFactTx(db, told, 'quoteApproved')),
})

/** They said no to it. */
export const onQuoteDeclined = subscriber({
  name: 'leads.onQuoteDeclined',
  on: 'quote.declined',
  run: (actor, told) => withTenant(actor, (db) => quoteFactTx(db, told, 'quoteDeclined')),
})
