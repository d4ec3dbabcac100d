import { createHmac } from 'node:crypto'
import { dollarsOf, type Remote } from '../../platform/books/client.ts'
import type { BooksPeer } from '../../platform/books/peer.ts'
import { clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { signingKey } from '../../platform/keys.ts'
import { log } from '../../platform/log.ts'
import { postLocal } from '../payments/events.ts'
import { askLocalBooks, lookToken } from './ledger.ts'
import { create, remove, update } from './records.ts'
import { all, inBooks, type Kept, read } from './store.ts'

const secret = (): string => signingKey('webhook-local').secret.toString('base64url')

/** Plays who keeps the books: the client asks it by the same calls, and nothing leaves this computer. */
export const localBooks: BooksPeer = {
  provider: 'local',
  livemode: false,
  clientId: 'swath-on-this-computer',
  clientSecret: 'swath-on-this-computer',
  webhookSecrets: () => [secret()],
  authorizeUrl: 'http://localhost/local/books/connect',
  tokenUrl: 'http://localhost/local/books/token',
  revokeUrl: 'http://localhost/local/books/revoke',
  apiUrl: 'http://localhost/local/books',
  pageOf: (realm, type, id) => `/local/books/look/${realm}/${lookToken(realm)}#${type}-${id}`,
  fetch: askLocalBooks,
}

/** Signature of a webhook over its raw body, as the provider makes it. */
export const signBooks = (raw: string): string => createHmac('sha256', secret()).update(raw).digest('base64')

type Happened = { realm: string; type: string; id: string; operation: 'Create' | 'Update' | 'Delete' | 'Void' }

/** A notice as the provider posts it: ids only. The newer shape is a list of CloudEvents, the older one a tree. */
export const noticeOf = ({ realm, type, id, operation }: Happened, shape: 'cloud' | 'tree' = 'cloud'): string =>
  shape === 'cloud'
    ? JSON.stringify([
        {
          specversion: '1.0',
          id: newId(),
          source: 'intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=',
          type: `qbo.${type.toLowerCase()}.${operation.toLowerCase()}d.v1`.replace('voidd', 'voided'),
          datacontenttype: 'application/json',
          time: clock.iso(),
          intuitentityid: id,
          intuitaccountid: realm,
          data: {},
        },
      ])
    : JSON.stringify({
        eventNotifications: [
          {
            realmId: realm,
            dataChangeEvent: { entities: [{ name: type, id, operation, lastUpdated: clock.iso() }] },
          },
        ],
      })

const tell = async (happened: Happened): Promise<void> => {
  const raw = noticeOf(happened)
  const headers = { 'intuit-signature': signBooks(raw), 'content-type': 'application/json' }
  const status = await postLocal('/api/webhooks/quickbooks', headers, raw).catch(() => 0)
  if (status !== 200)
    log.warn({ status }, 'a notice of the books on this computer did not arrive; the nightly look finds it')
}

const only = async (realm: string, type: string, id: string): Promise<Kept> => {
  const found = await inBooks((tx) => read<Kept>(tx, realm, type, id))
  if (!found) throw new Error(`The books hold no ${type} ${id}.`)
  return found
}

/** Somebody adds a customer in the books. */
export const addThere = (realm: string, record: Remote): Promise<Kept> =>
  inBooks((tx) => create(tx, realm, 'Customer', record))

/** Somebody writes an invoice in the books by hand. */
export const addInvoiceThere = (
  realm: string,
  customer: string,
  cents: number,
  day: string,
  DocNumber = '5001',
): Promise<Kept> =>
  inBooks((tx) =>
    create(tx, realm, 'Invoice', {
      DocNumber,
      TxnDate: day,
      CustomerRef: { value: customer },
      Line: [{ Amount: dollarsOf(cents) }],
    }),
  )

/** Somebody takes a payment for an invoice in the books. */
export const payThere = async (
  realm: string,
  invoiceId: string,
  cents: number,
  quiet = false,
  day = clock.iso().slice(0, 10),
): Promise<Kept> => {
  const invoice = await only(realm, 'Invoice', invoiceId)
  const made = await inBooks((tx) =>
    create(tx, realm, 'Payment', {
      ...(invoice.CustomerRef ? { CustomerRef: invoice.CustomerRef } : {}),
      TotalAmt: dollarsOf(cents),
      TxnDate: day,
      Line: [{ Amount: dollarsOf(cents), LinkedTxn: [{ TxnId: invoiceId, TxnType: 'Invoice' }] }],
    }),
  )
  if (!quiet) await tell({ realm, type: 'Payment', id: made.Id, operation: 'Create' })
  return made
}

/** Somebody changes a record in the books by hand. */
export const changeThere = async (
  realm: string,
  type: string,
  id: string,
  fields: Remote,
  quiet = false,
): Promise<void> => {
  const { SyncToken } = await only(realm, type, id)
  await inBooks((tx) => update(tx, realm, type, { Id: id, SyncToken, sparse: true, ...fields }))
  if (!quiet) await tell({ realm, type, id, operation: 'Update' })
}

/** Somebody deletes a transaction in the books. */
export const deleteThere = async (realm: string, type: string, id: string, quiet = false): Promise<void> => {
  const { SyncToken } = await only(realm, type, id)
  await inBooks((tx) => remove(tx, realm, type, { Id: id, SyncToken }))
  if (!quiet) await tell({ realm, type, id, operation: 'Delete' })
}

/** Everything of a kind that stands in the books. */
export const listThere = async (realm: string, type: string): Promise<Kept[]> =>
  (await inBooks((tx) => all(tx, realm, type))).filter(({ status }) => status !== 'Deleted')
