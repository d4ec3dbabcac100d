import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { hubPath } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Need } from '../../contract.ts'

const mostShown = 20

/** Texts that may ask for no more texts, until somebody says what they meant. */
export const textsInDoubt = async (db: TenantDb): Promise<Need[]> => {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
    )
    .where('messages.businessId', '=', db.businessId)
    .where('messages.stopDoubt', '=', sql.lit('open'))
    .select(['messages.id', 'messages.bodyText', 'messages.address', 'customers.id as customerId', 'customers.name'])
    .orderBy('messages.id', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(({ id, bodyText, address, customerId, name }) => {
    const path = customerId ? linkTo.thread(customerId) : hubPath('customers', 'messages')
    return {
      id: `stop:${id}`,
      kind: 'stop',
      badge: 'STOP?',
      tone: 'late',
      title: `“${bodyText.slice(0, 90)}”`,
      detail: `${name ?? formatPhone(address)} · does this ask for no more texts?`,
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Say', path },
    }
  })
}
