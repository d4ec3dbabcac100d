import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { getExtraSettings } from '../../../extras/server/queries.ts'
import type { CrewExtras } from '../../extras/contract.ts'

/** What crews may say of their stops; null where the business wants nothing of it. */
export const findCrewExtras = async (db: TenantDb): Promise<CrewExtras | null> => {
  const { overgrown } = await getExtraSettings(db)
  if (!overgrown.on) return null
  return { overgrown: { asks: overgrown.asks, steps: overgrown.steps.map(({ id, en, es }) => ({ id, en, es })) } }
}
