import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { amountText, packagesText } from '../../../materials/rules.ts'
import { listLowMaterials } from '../../../materials/server/queries.ts'
import type { Need } from '../../contract.ts'

/** What is at its reorder point or below. */
export const lowStock = async (db: TenantDb): Promise<Need[]> =>
  (await listLowMaterials(db, 20)).map(({ id, name, package: one, onHand, reorderAt }) => ({
    id: `stock:${id}`,
    kind: 'stock',
    badge: 'Low',
    tone: 'wait',
    title: `${name} is low`,
    detail: `${packagesText(onHand, one)} on hand, reorder at ${amountText(reorderAt)}`,
    amountCents: null,
    path: linkTo.purchases(),
    action: { kind: 'open', label: 'Buy', path: linkTo.purchases() },
  }))
