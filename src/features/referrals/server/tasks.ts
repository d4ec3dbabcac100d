import { subscriber } from '../../../platform/events/events.ts'
import { rewardReferral } from './commands.ts'

/** The first paid invoice of somebody who was sent: both get what was promised. */
export const onReferredPaid = subscriber({
  name: 'leads.onReferredPaid',
  on: 'invoice.paid',
  run: (actor, { invoiceId, by }) => rewardReferral(actor, { invoiceId, by }),
})
