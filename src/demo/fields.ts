import { todayOf } from '../features/businesses/server/queries.ts'
import { writeCustomFilters } from '../features/customers/custom/rules.ts'
import { createCustomField } from '../features/customers/custom/server/commands.ts'
import { updateCustomer, updateProperty } from '../features/customers/server/commands.ts'
import { listCustomers } from '../features/customers/server/queries.ts'
import { saveViewTx } from '../features/views/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays } from '../shared/dates.ts'

const systems = ['Hunter', 'Rain Bird', 'None']

/** What this business keeps besides the usual of its customers and properties, filled for the first forty, and a view that goes by it. */
export const keepFields = async (owner: Actor): Promise<void> => {
  const contract = await createCustomField(owner, {
    record: 'customer',
    name: 'Contract ends',
    type: 'date',
    choices: [],
  })
  const sign = await createCustomField(owner, { record: 'customer', name: 'Yard sign OK', type: 'yesno', choices: [] })
  const irrigation = await createCustomField(owner, {
    record: 'property',
    name: 'Irrigation',
    type: 'choice',
    choices: systems.map((name) => ({ id: null, name })),
  })
  const heads = await createCustomField(owner, {
    record: 'property',
    name: 'Sprinkler heads',
    type: 'number',
    choices: [],
  })
  const { items, today } = await withTenant(owner, async (db) => ({
    items: (await listCustomers(db, { sort: 'name', order: 'asc', limit: 40 }, { money: false })).items,
    today: await todayOf(db),
  }))
  for (const [n, { id, version, propertyId, propertyVersion }] of items.entries()) {
    await updateCustomer(owner, id, {
      version,
      custom: { [sign.id]: n % 3 !== 1, ...(n % 2 === 0 ? { [contract.id]: addDays(today, 20 + 9 * n) } : {}) },
    })
    const system = irrigation.choices[n % systems.length]
    if (propertyId === null || propertyVersion === null || !system) continue
    await updateProperty(owner, propertyId, {
      version: propertyVersion,
      relocate: false,
      custom: { [irrigation.id]: system.id, ...(system.name === 'None' ? {} : { [heads.id]: 8 + (n % 7) * 3 }) },
    })
  }
  await withTenant(owner, (db) =>
    saveViewTx(db, owner, {
      hub: 'customers',
      name: 'Contracts that end soon',
      shared: true,
      isDefault: false,
      query: {
        custom: writeCustomFilters([{ fieldId: contract.id, op: 'to', value: addDays(today, 120) }]),
        cols: `${contract.id}_${irrigation.id}`,
      },
    }),
  )
}
