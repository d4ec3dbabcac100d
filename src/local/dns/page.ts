import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { config } from '../../platform/config.ts'
import { escapeHtml } from '../../shared/html.ts'
import { paths } from '../../shared/paths.ts'
import { isAtThisComputer } from '../accounts/page.ts'
import { absent, localPage, sendPage } from '../page.ts'
import { addLocalRecord, LocalRecord, listLocalRecords, removeLocalRecord } from './store.ts'

const hidden = (record: LocalRecord): string =>
  Object.entries(record)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')

const rowOf = (record: LocalRecord): string =>
  `<div class="letter"><b>${escapeHtml(record.name)}</b> ${record.type}<p>${escapeHtml(record.value)}</p><form method="post">${hidden(record)}<button name="do" value="remove" aria-label="Remove ${escapeHtml(record.name)}">Remove</button></form></div>`

type Typed = { name?: string | null; type?: string | null; value?: string | null }

const pageOf = (records: readonly LocalRecord[], typed: Typed = {}, problem?: string): string =>
  localPage(
    'Name server of this computer',
    `<div class="sheet"><h1>Name server</h1>
<p class="note">The records of domains, as where a domain was bought one would set them. Only this computer asks this name server, and only as long as no other is named in SWATH_DNS_SERVERS; the internet knows none of it.</p>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
<form method="post"><label for="name">Name</label><input id="name" name="name" type="text" required value="${escapeHtml(typed.name ?? '')}" placeholder="_dmarc.greenlawn.example">
<fieldset style="border:0;margin:0;padding:0"><legend>Type</legend><label class="tick"><input type="radio" name="type" value="TXT"${typed.type === 'CNAME' ? '' : ' checked'}>TXT</label><label class="tick"><input type="radio" name="type" value="CNAME"${typed.type === 'CNAME' ? ' checked' : ''}>CNAME</label></fieldset>
<label for="value">Value</label><input id="value" name="value" type="text" required value="${escapeHtml(typed.value ?? '')}"><button class="main" name="do" value="add">Add the record</button></form>
<h2>Records (${records.length})</h2>${records.length === 0 ? '<p class="note">None yet.</p>' : records.map(rowOf).join('')}
<p><a href="/profile?section=messages#sender">Back to Swath</a></p></div>`,
  )

const handle = async (request: FastifyRequest, reply: FastifyReply) => {
  if (config.production || !isAtThisComputer(request)) return absent(reply)
  if (request.method === 'GET') {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const typed = { name: query.get('name'), type: query.get('type'), value: query.get('value') }
    return sendPage(reply, pageOf(await listLocalRecords(), typed))
  }
  const form = new URLSearchParams(String(request.body ?? ''))
  const typed = { name: form.get('name'), type: form.get('type'), value: form.get('value') }
  const record = LocalRecord.safeParse(typed)
  if (!record.success)
    return sendPage(reply, pageOf(await listLocalRecords(), typed, record.error.issues[0]?.message), 422)
  await (form.get('do') === 'remove' ? removeLocalRecord : addLocalRecord)(record.data)
  return reply.redirect(paths.localDns, 303)
}

/** Where somebody on this computer sets the records that a domain of theirs would have. */
export const localDns: FastifyPluginAsync = async (app) => {
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    pages.route({ method: ['GET', 'POST'], url: paths.localDns, schema: { hide: true }, handler: handle })
  })
}
