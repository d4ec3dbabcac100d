import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { contactsApi } from '../contract.ts'
import { addContact, removeContact, updateContact } from './commands.ts'
import { listContacts } from './queries.ts'

export const contactsEndpoints = serve(
  'contacts',
  contactsApi,
)({
  list: ({ actor, params }) => withTenant(actor, (db) => listContacts(db, params.id)),
  add: ({ actor, params, body }) => addContact(actor, params.id, body),
  update: ({ actor, params, body }) => updateContact(actor, params.id, body),
  remove: ({ actor, params }) => removeContact(actor, params.id),
})
