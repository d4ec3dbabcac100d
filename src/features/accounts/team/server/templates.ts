import { escapeHtml } from '../../../../shared/html.ts'

type Invite = { name: string; businessName: string; url: string; language: 'en' | 'es'; brandColor: string }

const message = {
  en: {
    subject: (business: string) => `${business} invites you to Swath`,
    hello: (name: string) => `Hello ${name},`,
    lead: (business: string) => `${business} plans its days with Swath. Take this invitation to get your own sign-in.`,
    button: 'Take the invitation',
    note: 'The link works once and for 7 days. If you do not know this business, you can ignore this mail.',
    text: (business: string, url: string) =>
      `${business}: set up your sign-in for Swath here (works once, 7 days): ${url}`,
  },
  es: {
    subject: (business: string) => `${business} te invita a Swath`,
    hello: (name: string) => `Hola ${name}:`,
    lead: (business: string) =>
      `${business} organiza sus días con Swath. Acepta esta invitación para tener tu propio acceso.`,
    button: 'Aceptar la invitación',
    note: 'El enlace funciona una sola vez, durante 7 días. Si no conoces este negocio, ignora este correo.',
    text: (business: string, url: string) => `${business}: crea tu acceso a Swath aquí (una vez, 7 días): ${url}`,
  },
} as const

/** The text that carries an invitation, short enough for one segment with an ordinary business name. */
export const inviteText = ({ businessName, url, language }: Invite): string => message[language].text(businessName, url)

export const inviteMail = ({ name, businessName, url, language, brandColor }: Invite) => {
  const w = message[language]
  const first = name.split(' ')[0] ?? name
  const text = [w.hello(first), w.lead(businessName), `${w.button}: ${url}`, w.note, businessName].join('\n\n')
  const html = `<!doctype html><html lang="${language}"><body style="margin:0;background:#faf8f3;color:#16211a;font:16px/1.5 'Hanken Grotesk',system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:32px 20px"><div style="height:6px;border-radius:3px;background:${escapeHtml(brandColor)}"></div><h1 style="font-size:22px;margin:24px 0 16px">${escapeHtml(businessName)}</h1><p>${escapeHtml(w.hello(first))}</p><p>${escapeHtml(w.lead(businessName))}</p><p style="margin:28px 0"><a href="${escapeHtml(url)}" style="display:inline-block;background:#14432f;color:#ffffff;text-decoration:none;font-weight:600;padding:14px 22px;border-radius:10px">${escapeHtml(w.button)}</a></p><p style="color:#4d5a51;font-size:14px">${escapeHtml(w.note)}</p></div></body></html>`
  return { subject: w.subject(businessName), text, html }
}
