import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { takePhoto } from '../../files/server/commands.ts'
import { expensesApi } from '../contract.ts'
import { addExpense, changeExpense, handInReceipt, removeExpense, restoreExpense } from './commands.ts'
import { addOwnPhoto, addPhoto, removePhoto } from './photos.ts'
import { getExpense, listChoices, listExpenses, listOwnReceipts, listVendors, sumYear } from './queries.ts'

export const expensesEndpoints = serve(
  'expenses',
  expensesApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listExpenses(db, query)),
  totals: ({ actor, query }) => withTenant(actor, (db) => sumYear(db, query.year)),
  vendors: ({ actor, query }) => withTenant(actor, async (db) => ({ items: await listVendors(db, query.search) })),
  choices: ({ actor }) => withTenant(actor, (db) => listChoices(db, actor)),
  get: ({ actor, params }) => withTenant(actor, (db) => getExpense(db, actor, params.id)),
  create: ({ actor, body }) => addExpense(actor, body),
  update: ({ actor, params, body }) => changeExpense(actor, params.id, body),
  remove: ({ actor, params, body }) => removeExpense(actor, params.id, body),
  restore: ({ actor, params, body }) => restoreExpense(actor, params.id, body),
  addPhoto: ({ actor, params, query, body }) => addPhoto(actor, params.id, query.id, body),
  removePhoto: ({ actor, params }) => removePhoto(actor, params.id, params.photoId),
  ownReceipts: ({ actor }) => withTenant(actor, async (db) => ({ items: await listOwnReceipts(db, actor.userId) })),
  handIn: ({ actor, body }) => handInReceipt(actor, body),
  handInPhoto: ({ actor, params, query, body }) =>
    takePhoto(actor, body, (bytes) => addOwnPhoto(actor, params.id, query.id, bytes)),
})
