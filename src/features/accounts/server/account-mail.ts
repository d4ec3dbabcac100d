import type { TenantDb } from '../../../platform/db/tenant.ts'
import { brand } from '../../../shared/brand.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import type { AccountMail } from './templates.ts'

/** Puts a mail about an account into the outbox: from us, outside of conversations, quiet hours and plan limits. */
export const queueAccountMail = (
  db: TenantDb,
  to: { userId: string; address: string },
  dedupeKey: string,
  mail: AccountMail,
): Promise<string> =>
  queueMessage(db, {
    channel: 'email',
    purpose: 'account',
    fromName: brand.name,
    address: to.address,
    userId: to.userId,
    dedupeKey: `account:${dedupeKey}`,
    ...mail,
  })
