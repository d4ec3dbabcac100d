import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { findVisitOfMineToday } from '../../../customers/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { budgetMinutesFor, priceFor } from '../../../services/rules.ts'
import { getServices } from '../../../services/server/queries.ts'
import { QuoteContent } from '../../contract.ts'
import { quoteName } from '../../rules.ts'
import { createQuoteTx } from '../../server/commands.ts'
import type { CrewQuote, crewQuotesApi } from '../contract.ts'
import { getCrewQuote } from './queries.ts'

/**
 * Notes on site what a customer would like. A crew notes only where it works today, and only its own photos; prices are the office's, who hears of it.
 * @throws not_found
 */
export const noteQuote = (actor: Actor, draft: z.output<typeof crewQuotesApi.create.body>): Promise<CrewQuote> =>
  withTenant(actor, async (db) => {
    if (actor.role === 'Employee' && !(await findVisitOfMineToday(db, draft.propertyId, actor.userId)))
      throw notFound('property')
    if (draft.photoIds.length > 0) {
      const own = await db
        .selectFrom('files')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('id', 'in', draft.photoIds)
        .where('createdBy', '=', actor.userId)
        .where('kind', '=', 'quote')
        .execute()
      if (own.length < new Set(draft.photoIds).size) throw notFound('photo')
    }
    const place = await db
      .selectFrom('properties')
      .select(['lawnSquareFeet', 'difficulty', 'customerId', 'street'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', draft.propertyId)
      .executeTakeFirst()
    if (!place) throw notFound('property')
    const services = new Map(
      (
        await getServices(
          db,
          draft.lines.map(({ serviceId }) => serviceId),
        )
      ).map((service) => [service.id, service]),
    )
    const content = QuoteContent.parse({
      photoIds: draft.photoIds,
      lines: draft.lines.flatMap((line) => {
        const service = services.get(line.serviceId)
        if (!service) return []
        const squareFeet = line.squareFeet ?? place.lawnSquareFeet
        const inputs = { squareFeet, difficulty: place.difficulty, firstCut: false }
        return [
          {
            id: newId(),
            serviceId: service.id,
            name: service.name,
            quantity: line.quantity,
            unit: service.unit,
            inputs,
            unitPriceCents: priceFor(service.priceRule, { ...inputs, frequency: 'once' }).cents,
            minutes: budgetMinutesFor(service, { ...inputs, quantity: line.quantity }),
            taxCategory: service.taxCategory,
          },
        ]
      }),
    })
    const id = await createQuoteTx(db, actor, {
      propertyId: draft.propertyId,
      title: '',
      content,
      note: draft.note,
      source: 'Crew',
      templateId: null,
      isCrewDraft: true,
    })
    const quote = await getCrewQuote(db, actor.userId, id)
    await notifyOffice(db, {
      type: 'quote',
      title: `${actor.name} noted ${quoteName(quote.number)} at ${place.street}`,
      content: [quote.services.join(', '), draft.note].filter(Boolean).join('. ').slice(0, 300),
      customerId: place.customerId,
      path: linkTo.quote(id),
      dedupeKey: `quote-noted:${id}`,
    })
    return quote
  })
