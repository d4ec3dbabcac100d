import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { refuse } from '../../../shared/can.ts'
import type { Corner } from '../../customers/areas/rules.ts'
import { addDrawnLawnTx } from '../../customers/areas/server/commands.ts'
import { addPropertyTx, createCustomerTx } from '../../customers/server/commands.ts'
import { giveMessagesTx, recallAskingTx } from '../../messages/server/commands.ts'
import type { businessLeadsApi, LeadRecord } from '../contract.ts'
import { leadRefusals, sourceLabel } from '../rules.ts'
import { getLead } from './queries.ts'
import { lockLead, setLead, stageTx, tellPast } from './rows.ts'

const samePlace = (
  one: { street: string; zip?: string | undefined },
  other: { street: string; zip: string },
): boolean =>
  one.street.trim().toLowerCase() === other.street.trim().toLowerCase() &&
  (one.zip ?? '').slice(0, 5) === other.zip.slice(0, 5)

type Input = z.output<typeof businessLeadsApi.convert.body>

/**
 * Makes a lead a customer with a property, or part of a customer who is there: all of it or nothing, once. The lead stays, linked; what was written with
 * it stands in the customer's thread from now on.
 * @throws AppError state_conflict, conflict with `duplicates`, customer_limit_reached, not_found
 */
export const convertLead = (actor: Actor, id: string, input: Input): Promise<LeadRecord> =>
  withTenant(actor, async (db) => {
    const lead = await lockLead(db, id)
    requireVersion(lead, input.version, 'this lead')
    // Who was known as a customer when they asked still gets the property of this request.
    refuse(leadRefusals.convert({ ...lead, customerId: lead.convertedAt ? lead.customerId : null }))
    const name = input.name ?? lead.name
    const { property } = input
    const into = input.customerId ?? null
    const customerId =
      into ??
      (await createCustomerTx(db, actor, {
        name,
        ...(input.company ? { company: input.company } : {}),
        email: lead.email,
        phone: lead.phone,
        stage: 'active',
        ...(property ? { property } : {}),
        source: sourceLabel[lead.source],
        allowDuplicate: input.allowDuplicate,
      }))
    const propertyId =
      into && property
        ? await addPropertyTx(db, actor, into, property)
        : into
          ? null
          : ((
              await db
                .selectFrom('properties')
                .select('id')
                .where('businessId', '=', db.businessId)
                .where('customerId', '=', customerId)
                .executeTakeFirst()
            )?.id ?? null)
    // The line belongs to the place and the size that they asked for: where the office typed others, those count.
    const ring = lead.drawnRing as unknown as Corner[] | null
    if (ring && propertyId && property && samePlace(property, lead) && property.lawnSquareFeet === lead.lawnSquareFeet)
      await addDrawnLawnTx(db, actor, propertyId, ring)
    await setLead(db, lead, { name, customerId, propertyId, convertedAt: clock.iso() })
    await giveMessagesTx(db, {
      customerId,
      entity: { type: 'lead', id },
      addresses: [lead.phone, lead.email].filter((one) => one !== null),
    })
    // Who is a customer by now needs no word that somebody will come back to them.
    await recallAskingTx(db, { type: 'lead', id }, 'They became a customer before it left')
    await tellPast(db, id, {
      kind: 'customer',
      words: name,
      data: { customerId, into: into !== null },
      userId: actor.userId,
    })
    if (input.won && lead.stage !== 'won') await stageTx(db, lead, { stage: 'won', by: 'person', why: '' }, actor)
    await audit(db, actor, 'lead.convert', { type: 'lead', id }, { after: { customerId } })
    return getLead(db, actor, id)
  })
