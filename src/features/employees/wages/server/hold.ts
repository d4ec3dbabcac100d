import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

type Check = (db: TenantDb, from: Day) => Promise<void>
let check: Check = () => Promise.resolve()

/** Who knows which weeks are paid says whether a wage may begin on a day; time knows of wages, not the other way. */
export const setWageCheck = (asked: Check): void => {
  check = asked
}

/** @throws AppError state_conflict where a wage would reach into a week that is locked */
export const checkWageDayTx: Check = (db, from) => check(db, from)
