import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { centsOf, type Remote } from '../../platform/books/client.ts'
import { config } from '../../platform/config.ts'
import { escapeHtml } from '../../shared/html.ts'
import { formatCents } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { absent, localPage, sendPage } from '../page.ts'
import { giveCode, mayLook, realmNamed } from './ledger.ts'
import { addThere, listThere, payThere } from './play.ts'
import { breakBooks, type FaultName, type Kept, openCompany } from './store.ts'

const note = (text: string): string => `<p class="note">${escapeHtml(text)}</p>`

const connectPage = (path: string, company: string): string =>
  localPage(
    'Test books',
    `<div class="sheet"><h1>Connect test books</h1>
${note('This stands in for QuickBooks on this computer. Nothing leaves it. A name that was used before opens the same books again.')}
<form method="post" action="${escapeHtml(path)}">
<label for="company">Company</label><input id="company" name="company" type="text" autocomplete="off" maxlength="80" required value="${escapeHtml(company)}">
<button class="main" name="choice" value="go">Connect</button>
<button class="quiet" name="choice" value="cancel" formnovalidate>Cancel</button>
</form></div>`,
  )

const connect = async (request: FastifyRequest, reply: FastifyReply) => {
  const query = new URL(request.url, 'http://localhost').searchParams
  const state = query.get('state') ?? ''
  if (request.method === 'GET') return sendPage(reply, connectPage(request.url, query.get('company') ?? 'Test books'))
  const form = new URLSearchParams(String(request.body ?? ''))
  const name = (form.get('company') ?? '').trim().slice(0, 80) || 'Test books'
  const back = new URLSearchParams({ state })
  if (form.get('choice') === 'cancel') back.set('error', 'access_denied')
  else {
    const realm = realmNamed(name)
    await openCompany(realm, name)
    back.set('code', await giveCode(realm))
    back.set('realmId', realm)
  }
  return reply.redirect(`${paths.quickbooks}?${back}`, 303)
}

const faults: Record<FaultName, string> = {
  '429': 'Too many requests',
  '5020': 'A record is not shown',
  '5010': 'Somebody else changed it',
  '6240': 'The name is taken',
  '6210': 'The period is closed',
  '610': 'Something was made inactive',
  lost: 'It is done, but the answer gets lost',
  down: 'The service is away',
}

const titleOf = (type: string, record: Kept): string =>
  record.DisplayName ??
  record.Name ??
  `${record.DocNumber ?? record.PaymentRefNum ?? `${type} ${record.Id}`} · ${record.TxnDate ?? ''}`

const listOf = (type: string, records: readonly Kept[], tools: (record: Kept) => string = () => ''): string =>
  `<h2>${type === 'CreditMemo' ? 'Credit memos' : `${type}s`} (${records.length})</h2>${records
    .slice(-50)
    .reverse()
    .map(
      (record) =>
        `<div class="letter" id="${type}-${escapeHtml(record.Id)}"><b>${escapeHtml(titleOf(type, record))}</b> ${record.TotalAmt === undefined ? '' : formatCents(centsOf(record.TotalAmt))}${record.Balance === undefined ? '' : `<small>${formatCents(centsOf(record.Balance))} open</small>`}${tools(record)}</div>`,
    )
    .join('')}`

const action = (name: string, value: string, label: string): string =>
  `<form method="post"><button class="quiet" name="${name}" value="${escapeHtml(value)}">${escapeHtml(label)}</button></form>`

const lookPage = async (realm: string): Promise<string> => {
  const [company, customers, items, invoices, payments, credits, expenses, deposits] = await Promise.all(
    ['CompanyInfo', 'Customer', 'Item', 'Invoice', 'Payment', 'CreditMemo', 'Purchase', 'Deposit'].map((type) =>
      listThere(realm, type),
    ),
  )
  const open = (record: Kept) =>
    centsOf(record.Balance) > 0
      ? action('pay', record.Id, `Take a payment of ${formatCents(centsOf(record.Balance))} here`)
      : ''
  return localPage(
    'Test books',
    `<div class="sheet"><h1>${escapeHtml((company?.[0] as Remote | undefined)?.CompanyName ?? 'Test books')}</h1>
${note('The books on this computer, as QuickBooks would show them.')}
<form method="post"><label for="name">Add a customer here</label><input id="name" name="customer" type="text" maxlength="100" required><button class="quiet">Add</button></form>
<h2>Let the next change fail</h2>${(Object.keys(faults) as FaultName[]).map((one) => action('fault', one, faults[one])).join('')}
${listOf('Invoice', invoices ?? [], open)}${listOf('Payment', payments ?? [])}${listOf('Deposit', deposits ?? [])}${listOf('CreditMemo', credits ?? [])}${listOf('Purchase', expenses ?? [])}${listOf('Customer', customers ?? [])}${listOf('Item', items ?? [])}
<p><a href="${paths.quickbooks}">Back to Swath</a></p></div>`,
  )
}

const look = async (request: FastifyRequest, reply: FastifyReply) => {
  const { realm = '', token = '' } = request.params as { realm?: string; token?: string }
  if (!mayLook(realm, token)) return absent(reply)
  if (request.method === 'GET') return sendPage(reply, await lookPage(realm))
  const form = new URLSearchParams(String(request.body ?? ''))
  const customer = (form.get('customer') ?? '').trim()
  const fault = form.get('fault') as FaultName | null
  const pay = form.get('pay')
  try {
    if (customer) await addThere(realm, { DisplayName: customer })
    if (fault && faults[fault]) await breakBooks(realm, fault)
    if (pay) {
      const invoice = (await listThere(realm, 'Invoice')).find(({ Id }) => Id === pay)
      if (invoice && centsOf(invoice.Balance) > 0) await payThere(realm, pay, centsOf(invoice.Balance))
    }
  } catch (error) {
    return sendPage(
      reply,
      localPage(
        'Test books',
        `<div class="sheet"><h1>That did not work</h1>${note(String((error as Error).message))}<p><a href="${escapeHtml(request.url)}">Back</a></p></div>`,
      ),
      409,
    )
  }
  return reply.redirect(request.url, 303)
}

/** The pages of the books on this computer: where a business connects them, and where somebody looks into them. */
export const localBooksPages: FastifyPluginAsync = async (app) => {
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    const open =
      (handler: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
      (request: FastifyRequest, reply: FastifyReply) =>
        config.production ? absent(reply) : handler(request, reply)
    const routes = [
      ['/local/books/connect', connect],
      ['/local/books/look/:realm/:token', look],
    ] as const
    for (const [url, handler] of routes)
      pages.route({ method: ['GET', 'POST'], url, schema: { hide: true }, handler: open(handler) })
  })
}
