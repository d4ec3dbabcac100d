import type { Who } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** A number that is a customer's from now on. */
export type NumberTaken = {
  customerId: string
  phone: string
  /** The customer was made with it. */
  isNew: boolean
}
type Take = (db: TenantDb, who: Who, taken: NumberTaken) => Promise<void>

/** A process that only makes a demo has nothing written by anybody before its customers are there. */
let take: Take = async () => undefined

/** Says what goes with a number to its customer; set once at start by whoever keeps what was written with it. */
export const setNumberTaking = (by: Take): void => {
  take = by
}

/** What was written with a number before anybody knew whose it is goes to its customer in the same transaction; again changes nothing. */
export const takeNumberTx = async (
  db: TenantDb,
  who: Who,
  { phone, ...rest }: Omit<NumberTaken, 'phone'> & { phone: string | null | undefined },
): Promise<void> => {
  if (phone) await take(db, who, { ...rest, phone })
}
