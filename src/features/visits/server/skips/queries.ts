import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { invalid } from '../../../../shared/errors.ts'
import { type SkipRule, skipChargeOf, skipRulesOf, skipsFor } from '../../../businesses/skips/rules.ts'
import type { Visit } from '../../contract.ts'

/** Why visits are skipped in this business. */
export const getSkipRules = async (db: TenantDb): Promise<SkipRule[]> => {
  const { skipRules } = await db
    .selectFrom('businesses')
    .select('skipRules')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return skipRulesOf(skipRules)
}

/** @throws AppError validation_failed for a reason that the office does not have, or one without the words that it asks for */
export const checkOfficeSkip = async (
  db: TenantDb,
  { reason, note }: { reason: string; note?: string | undefined },
) => {
  const rule = skipsFor(await getSkipRules(db), 'office').find((one) => one.code === reason)
  if (!rule) throw invalid([{ path: 'reason', message: 'This reason is not on your list any more. Pick another one.' }])
  if (rule.needsNote && !note?.trim()) throw invalid([{ path: 'note', message: 'Say what the reason was.' }])
}

/** The reasons that the office may skip a visit for, and what each would cost. */
export const officeSkips = async (
  db: TenantDb,
  visit: { workCents: number; billable: boolean },
  seesMoney: boolean,
): Promise<Visit['skips']> =>
  skipsFor(await getSkipRules(db), 'office').map((rule) => {
    const chargeCents = skipChargeOf(rule, visit)
    return {
      code: rule.code,
      needsNote: rule.needsNote,
      charged: chargeCents !== null,
      chargeCents: seesMoney ? chargeCents : null,
    }
  })
