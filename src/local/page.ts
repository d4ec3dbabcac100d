import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../shared/html.ts'

/** A page of this computer's own, which looks like no provider's and like none of ours. */
export const localPage = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,">
<style>
body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#f6f2e8;color:#16211a;font:16px/1.5 "Hanken Grotesk",system-ui,sans-serif}
main{width:min(420px,100% - 32px);margin:24px 0}
main:has(.letter){width:min(640px,100% - 32px)}
.sheet{padding:28px;background:#fff;border:1px solid #e2ddd0;border-top:6px solid #2455b8;border-radius:14px}
h1{margin:0 0 6px;font-size:26px;line-height:1.2}
.note{margin:0 0 20px;color:#4d5a51}
label{display:block;font-weight:600;margin:0 0 6px}
input[type=email],input[type=text]{width:100%;box-sizing:border-box;min-height:44px;margin:0 0 16px;padding:8px 12px;border:1px solid #77857b;border-radius:10px;font:inherit}
.tick{display:flex;gap:10px;align-items:center;font-weight:400;margin:0 0 20px}
.tick input{width:20px;height:20px;margin:0}
button{min-height:46px;padding:10px 18px;border:1px solid #77857b;border-radius:10px;background:#fff;color:inherit;font:600 16px/1.2 inherit;font-family:inherit;cursor:pointer}
button.main{width:100%;margin:0 0 10px;border-color:#14432f;background:#14432f;color:#fff}
button.quiet{width:100%}
:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
.problem{margin:0 0 16px;padding:10px 12px;border-radius:10px;background:#fbe9e4;color:#7a2410}
.letter{margin:14px 0 0;border-top:1px solid #e2ddd0;padding:14px 0 0}
.letter summary{cursor:pointer;overflow-wrap:anywhere}
.letter small{display:block;color:#4d5a51}
.letter p{margin:10px 0 0;white-space:pre-wrap;overflow-wrap:anywhere}
a{color:#1d4f91}
</style></head><body><main>${body}</main></body></html>`

export const sendPage = (reply: FastifyReply, page: string, status = 200): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)

export const absent = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type('text/plain; charset=utf-8').send('There is nothing at this address.')

/** The host of a page that is looked at on this computer. */
export const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
