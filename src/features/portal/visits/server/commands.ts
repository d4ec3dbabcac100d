import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { lockVisit, skipForCustomerTx, undoVisitTx } from '../../../visits/server/commands.ts'
import type { Door, Language, Person } from '../../server/queries.ts'
import { visitTexts } from '../rules.ts'
import { findVisit } from './queries.ts'

type Asking = { person: Person; language: Language; visitId: string }

const facts = (person: Person, visitId: string) => ({
  customerId: person.customerId,
  visitId,
  now: clock.iso(),
})

/**
 * Skips a visit by the rule of the business. Again is the same: of two presses one does it.
 * @param shownDay the day that the page said: of another one nothing is skipped
 * @throws AppError not_found, state_conflict with the words for the customer
 */
export const skipByCustomer = (
  door: Door,
  { person, language, visitId, shownDay }: Asking & { shownDay: string },
): Promise<void> =>
  withTenant(door, async (db) => {
    const t = visitTexts[language]
    const known = await findVisit(db, door, facts(person, visitId))
    if (!known) throw notFound('visit')
    const locked = await lockVisit(db, visitId)
    // read again: it may have been done while this one waited
    const visit = await findVisit(db, door, facts(person, visitId))
    if (!visit) throw notFound('visit')
    if (visit.unskip) return
    if (locked.day !== null && locked.day !== shownDay) throw conflict(t.movedMeanwhile(dayIn(language, locked.day)))
    if (visit.skip === 'late') throw conflict(t.late(door.rules.skipHours))
    if (visit.skip === 'off') throw conflict(t.off)
    if (visit.skip === 'over') throw conflict(t.over)
    const who = systemActor(door.businessId)
    await skipForCustomerTx(db, who, visitId, {
      reason: door.rules.skipReason,
      note: `${person.name} in the customer portal`,
    })
    await notifyOffice(db, {
      type: 'job',
      topic: 'replies',
      title: `${person.customerName} skipped ${dayIn('en', visit.row.day ?? '')}`,
      content: [visit.shown.services, visit.shown.street, 'in the customer portal'].filter(Boolean).join(' · '),
      customerId: person.customerId,
      path: linkTo.customer(person.customerId),
      dedupeKey: `portal-skip:${visitId}:${locked.version}`,
    })
  })

/** Takes the customer's own skip back, within the time of the rule. Again is the same. @throws AppError not_found, state_conflict */
export const unskipByCustomer = (door: Door, { person, language, visitId }: Asking): Promise<void> =>
  withTenant(door, async (db) => {
    const t = visitTexts[language]
    if (!(await findVisit(db, door, facts(person, visitId)))) throw notFound('visit')
    const { version } = await lockVisit(db, visitId)
    const visit = await findVisit(db, door, facts(person, visitId))
    if (!visit) throw notFound('visit')
    if (visit.row.status === 'scheduled') return
    if (!visit.unskip) throw conflict(t.noUndo)
    await undoVisitTx(db, systemActor(door.businessId), visitId, version)
    await notifyOffice(db, {
      type: 'job',
      topic: 'replies',
      title: `${person.customerName} wants ${dayIn('en', visit.row.day ?? '')} after all`,
      content: [visit.shown.services, visit.shown.street, 'in the customer portal'].filter(Boolean).join(' · '),
      customerId: person.customerId,
      path: linkTo.customer(person.customerId),
      dedupeKey: `portal-unskip:${visitId}:${version}`,
    })
  })
