import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { config } from '../../platform/config.ts'
import { escapeHtml } from '../../shared/html.ts'
import { localMailHeader, paths } from '../../shared/paths.ts'
import { absent, localHost, localPage, sendPage } from '../page.ts'
import { type AccountLetter, listAccountLetters } from './queries.ts'

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** Whoever sits at this computer: the connection comes from it and the page was asked for by its own name, through nobody in between. */
export const isAtThisComputer = ({ headers, socket }: FastifyRequest): boolean =>
  loopback.test(socket.remoteAddress ?? '') &&
  localHost.test(headers.host ?? '') &&
  !proxyHeaders.some((name) => headers[name] !== undefined)

const withLinks = (text: string): string =>
  escapeHtml(text).replace(/https?:\/\/[^\s<"]+[^\s<".,;:)]/g, (url) => `<a href="${url}">${url}</a>`)

const letterOf = ({ address, subject, text, createdAt }: AccountLetter, index: number): string =>
  `<details class="letter"${index === 0 ? ' open' : ''}><summary><b>${escapeHtml(subject || 'Text')}</b><small>to ${escapeHtml(address)}, <time datetime="${createdAt}">${new Date(createdAt).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })}</time></small></summary><p>${withLinks(text)}</p></details>`

const pageOf = (letters: readonly AccountLetter[]): string =>
  localPage(
    'Account mail of this computer',
    `<div class="sheet"><h1>Account mail</h1>
<p class="note">Confirmations, new passwords and invitations that were written on this computer, the newest first. Nothing was mailed unless a mail server is set up. Only this computer opens this page, and a server with a public address does not have it.</p>
${letters.length === 0 ? '<p class="note">Nothing was written yet. Ask for a link, then load this page again.</p>' : letters.map(letterOf).join('')}
<p><a href="/signin">Sign in</a></p></div>`,
  )

/** Lets somebody who tries the product without a mail server finish a new password or an invitation: nobody of a business sees such mail of others. */
export const localAccounts: FastifyPluginAsync = async (app) => {
  app.get(paths.localAccounts, { schema: { hide: true } }, async (request, reply) =>
    !config.production && isAtThisComputer(request)
      ? sendPage(
          reply.header(localMailHeader, '1'),
          pageOf(request.method === 'HEAD' ? [] : await listAccountLetters()),
        )
      : absent(reply),
  )
}
