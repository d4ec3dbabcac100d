import { brand } from '../../../../shared/brand.ts'
import { escapeHtml } from '../../../../shared/html.ts'

/** The mail with the link that connects Google to an account. */
export const connectMail = (name: string, url: string) => {
  const hello = `Hello ${name.split(' ')[0] ?? name},`
  const lead = `Somebody signed in with Google as this address and wants to use that for your ${brand.name} sign-in.`
  const button = 'Connect Google'
  const note = 'The link works once and for an hour. If that was not you, do nothing: your sign-in stays as it is.'
  return {
    subject: `Connect Google to your ${brand.name} sign-in`,
    text: [hello, lead, `${button}: ${url}`, note].join('\n\n'),
    html: `<!doctype html><html lang="en"><body style="margin:0;background:#faf8f3;color:#16211a;font:16px/1.5 'Hanken Grotesk',system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:32px 20px"><h1 style="font-size:22px;margin:0 0 16px">${escapeHtml(brand.name)}</h1><p>${escapeHtml(hello)}</p><p>${escapeHtml(lead)}</p><p style="margin:28px 0"><a href="${escapeHtml(url)}" style="display:inline-block;background:#14432f;color:#ffffff;text-decoration:none;font-weight:600;padding:14px 22px;border-radius:10px">${escapeHtml(button)}</a></p><p style="color:#4d5a51;font-size:14px">${escapeHtml(note)}</p></div></body></html>`,
  }
}
