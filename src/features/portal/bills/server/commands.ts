import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { conflict } from '../../../../shared/errors.ts'
import { statementUrlTx } from '../../../invoices/statements/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { addRequestTx } from '../../../payments/cardlinks/server/commands.ts'
import { removeCardTx, resumeByHolderTx, stopByHolderTx } from '../../../payments/cards/server/commands.ts'
import { findMethod, mandateOf } from '../../../payments/cards/server/queries.ts'
import { noteTx } from '../../../timeline/server/commands.ts'
import { portalTexts } from '../../pages/server/texts.ts'
import type { Door, Language, Person } from '../../server/queries.ts'

/** The path of the customer's statement page, where everything open is paid at once. */
export const statementPathOf = (door: Door, person: Person): Promise<string> =>
  withTenant(
    door,
    async (db) =>
      `${new URL(await statementUrlTx(db, person.customerId)).pathname}?portal=${encodeURIComponent(door.slug)}`,
  )

/** The path of a page on which a card is left; nothing is kept or charged before that is done. */
export const cardPathOf = (door: Door, person: Person): Promise<string> =>
  withTenant(door, async (db) => (await addRequestTx(db, person.customerId, null)).path)

/** Forgets the card. Again is the same. */
export const removeCardByCustomer = (door: Door, person: Person): Promise<void> =>
  withTenant(door, async (db) => {
    const method = await findMethod(db, person.customerId)
    if (!method) return
    await removeCardTx(db, systemActor(door.businessId), person.customerId)
    await noteTx(db, person.customerId, `${person.name} removed the payment method on file in the customer portal.`)
    await notifyOffice(db, {
      type: 'invoice',
      title: `${person.customerName} removed their payment method`,
      content: 'Their invoices are not charged by themselves any more.',
      customerId: person.customerId,
      dedupeKey: `portal-card-removed:${method.id}`,
    })
  })

/** The card stays on file and pays nothing by itself. Again is the same. */
export const stopAutopayByCustomer = (door: Door, person: Person): Promise<void> =>
  withTenant(door, async (db) => {
    if (!(await stopByHolderTx(db, person.customerId, null))) return
    await noteTx(db, person.customerId, `${person.name} turned autopay off in the customer portal.`)
    await notifyOffice(db, {
      type: 'invoice',
      title: `${person.customerName} turned autopay off`,
      content: 'Their card stays on file. It is not charged by itself any more, and only they can turn it on again.',
      customerId: person.customerId,
      dedupeKey: `portal-autopay-off:${person.customerId}:${clock.iso()}`,
    })
  })

/** The card on file pays by itself again, with the words that its holder read. Again is the same. @throws state_conflict */
export const startAutopayByCustomer = (
  door: Door,
  { person, language, words, ip }: { person: Person; language: Language; words: string; ip: string },
): Promise<void> =>
  withTenant(door, async (db) => {
    const now = await mandateOf(db, language)
    if (now.text !== words.replace(/\r\n/g, '\n')) throw conflict(portalTexts[language].autopayWordsChanged)
    const done = await resumeByHolderTx(db, person.customerId, { ...now, at: clock.iso(), ip, page: 'portal' })
    if (done === 'no') throw conflict(portalTexts[language].autopayCannot)
    if (!done) return
    await noteTx(db, person.customerId, `${person.name} turned autopay on again in the customer portal.`)
    await notifyOffice(db, {
      type: 'invoice',
      title: `${person.customerName} turned autopay on again`,
      content: 'Their card pays their invoices on the day they are due.',
      customerId: person.customerId,
      dedupeKey: `portal-autopay-on:${person.customerId}:${clock.iso()}`,
    })
  })
