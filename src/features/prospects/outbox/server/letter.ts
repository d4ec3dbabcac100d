import { escapeHtml } from '../../../../shared/html.ts'

/** What stands under every mail to a prospect. */
export type Footer = { fromName: string; postalAddress: string; unsubscribeUrl: string }

/** How a mail tells us that it was read: where each of its links goes on the way, and its invisible picture. */
export type Tracking = { hrefOf: (url: string) => string; pixelUrl: string }

const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/

/** The web addresses in a text, each once, in order. */
export const linksOf = (text: string): string[] => [
  ...new Set(text.split(address).filter((_, index) => index % 2 === 1)),
]

const linked = (text: string, hrefOf: Tracking['hrefOf']): string =>
  text
    .split(address)
    .map((part, index) =>
      index % 2 === 1
        ? `<a href="${escapeHtml(hrefOf(part))}" style="color:#14432f">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('')

const paragraphs = (text: string, hrefOf: Tracking['hrefOf']): string =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p style="margin:0 0 16px">${linked(part.trim(), hrefOf).replaceAll('\n', '<br>')}</p>`)
    .join('')

/**
 * A plain text as the mail that leaves: the same words in HTML with working links, and the footer that the law and good manners want. Everything
 * that somebody typed is escaped.
 */
export const composeLetter = (
  text: string,
  footer: Footer | null,
  tracking: Tracking | null = null,
): { text: string; html: string } => {
  const hrefOf = tracking?.hrefOf ?? ((url: string) => url)
  const pixel = tracking
    ? `<img src="${escapeHtml(tracking.pixelUrl)}" width="1" height="1" alt="" style="display:block;border:0">`
    : ''
  const sender = footer ? [footer.fromName, footer.postalAddress.trim()].filter(Boolean).join(', ') : ''
  const small = footer
    ? `<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #e3ddd0;font-size:13px;color:#5b6560">${escapeHtml(sender).replaceAll('\n', ', ')}<br><a href="${escapeHtml(footer.unsubscribeUrl)}" style="color:#5b6560">Unsubscribe</a></p>`
    : ''
  return {
    text: footer ? `${text}\n\n-- \n${sender}\nUnsubscribe: ${footer.unsubscribeUrl}\n` : text,
    html: `<div style="max-width:600px;margin:0 auto;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif;color:#16211a">${paragraphs(text, hrefOf)}${small}${pixel}</div>`,
  }
}
