import type { FastifyPluginAsync } from 'fastify'
import { config } from '../../platform/config.ts'
import { escapeHtml } from '../../shared/html.ts'
import { isAtThisComputer } from '../accounts/page.ts'
import { absent, localPage, sendPage } from '../page.ts'
import { listPlayedPushes, type PlayedPush } from './queries.ts'

const rowOf = ({ kind, name, title, body, path, at }: PlayedPush): string =>
  `<div class="letter"><b>${escapeHtml(title)}</b><small>to ${escapeHtml(name)}, ${kind}, <time datetime="${at}">${new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })}</time></small><p>${escapeHtml(body)}</p><p><a href="${escapeHtml(path)}">${escapeHtml(path)}</a></p></div>`

/** What phones and browsers would have rung with, had this server a public address. */
export const localPush: FastifyPluginAsync = async (app) => {
  app.get('/local/push', { schema: { hide: true } }, async (request, reply) => {
    if (config.production || !isAtThisComputer(request)) return absent(reply)
    const pushes = await listPlayedPushes()
    return sendPage(
      reply,
      localPage(
        'Push of this computer',
        `<div class="sheet"><h1>Push</h1>
<p class="note">What devices that switched it on would have shown, the newest first. Nothing left this computer, which alone opens this page.</p>
${pushes.length === 0 ? '<p class="note">Nothing yet. Switch it on in Profile, then change a crew’s day or write to somebody.</p>' : pushes.map(rowOf).join('')}</div>`,
      ),
    )
  })
}
