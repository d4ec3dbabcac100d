import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { listBestWeekdays } from '../../../routes/newstop/server/queries.ts'
import { getServices } from '../../../services/server/queries.ts'
import type { QuoteContent } from '../../contract.ts'
import { firstChoice, isChosen } from '../../rules.ts'
import type { BestDays, QuoteRules } from '../contract.ts'
import { densityOf, type QuoteDay } from '../rules.ts'

export const getQuoteRules = async (db: TenantDb): Promise<QuoteRules> =>
  (await db
    .selectFrom('quoteRules')
    .select(['densityPercent', 'densityMinutes', 'offersDay', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()) ?? { densityPercent: 0, densityMinutes: 10, offersDay: true, version: 0 }

/** Even a small job takes so long, in minutes. */
const shortest = 15

/** What a visit of a quote needs: what comes back, or where nothing does, all of it. */
const needOf = async (db: TenantDb, content: Pick<QuoteContent, 'lines' | 'packages'>) => {
  const chosen = content.lines.filter((line) => isChosen(line, firstChoice(content)))
  const back = chosen.filter(({ frequency }) => frequency !== 'once')
  const lines = back.length > 0 ? back : chosen
  const services = await getServices(
    db,
    lines.map(({ serviceId }) => serviceId),
  )
  return {
    minutes: Math.max(
      shortest,
      lines.reduce((sum, { minutes }) => sum + minutes, 0),
    ),
    skills: [...new Set(services.flatMap(({ skills }) => skills))],
  }
}

/** Weekdays for the work of a quote at a property, with what is off for each. @throws not_found */
export const bestDaysFor = async (
  db: TenantDb,
  propertyId: string,
  content: Pick<QuoteContent, 'lines' | 'packages'>,
): Promise<BestDays> => {
  const place = await db
    .selectFrom('properties')
    .select(['latitude', 'longitude'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', propertyId)
    .executeTakeFirst()
  if (!place) throw notFound('property')
  const { latitude, longitude } = place
  if (latitude === null || longitude === null)
    return { offers: [], full: [], problem: 'The property has no pin on the map, so its drive is not known.' }
  const { offers, full } = await listBestWeekdays(db, { latitude, longitude }, await needOf(db, content))
  const rules = await getQuoteRules(db)
  return {
    offers: offers.map(({ weekday, crewId, crewName, addedSeconds, stops }) => ({
      weekday,
      crewId,
      crewName,
      addedSeconds,
      stops,
      densityPercent: densityOf(rules, { addedSeconds, stops }),
    })),
    full,
    problem:
      offers.length > 0
        ? null
        : full.length > 0
          ? 'No crew has room in the next two weeks.'
          : 'No crew works in the next two weeks.',
  }
}

/** The best days for a draft as it stands. @throws not_found */
export const getBestDays = async (db: TenantDb, quoteId: string): Promise<BestDays> => {
  const quote = await db
    .selectFrom('quotes')
    .select(['propertyId', 'content'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', quoteId)
    .executeTakeFirst()
  if (!quote) throw notFound('quote')
  return bestDaysFor(db, quote.propertyId, quote.content as unknown as QuoteContent)
}

/**
 * The day that a quote has: only the weekday is taken from a browser; crew, drive and what is off for it are worked out here, once for a weekday.
 */
export const dayOfQuote = async (
  db: TenantDb,
  propertyId: string,
  content: QuoteContent,
  before: QuoteDay | null | undefined,
): Promise<QuoteDay | null> => {
  const wished = content.day
  if (!wished) return null
  if (before && before.weekday === wished.weekday) return before
  const { offers } = await bestDaysFor(db, propertyId, content)
  const offer = offers.find(({ weekday }) => weekday === wished.weekday)
  const { offersDay } = await getQuoteRules(db)
  return offer
    ? {
        weekday: offer.weekday,
        crewId: offer.crewId,
        crewName: offer.crewName,
        addedSeconds: offer.addedSeconds,
        densityPercent: offer.densityPercent,
        shown: offersDay,
      }
    : null
}
