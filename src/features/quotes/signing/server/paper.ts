import { formatCents } from '../../../../shared/money.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { rateLabel } from '../../../invoices/papers/rules.ts'
import type { drawFor } from '../../../invoices/server/commands.ts'
import { dayIn, sumWords } from '../../../invoices/words/rules.ts'
import type { Frequency } from '../../../services/rules.ts'
import { type Choice, isChosen, paysAhead, type QuoteTotals, quoteName, quoteTotals } from '../../rules.ts'
import type { SentContent } from '../../server/queries.ts'

/** A paper of the business, as invoices draw it. */
type Paper = Parameters<typeof drawFor>[2]

export const everyWords: Record<Language, Record<Frequency, string>> = {
  en: { weekly: 'every week', biweekly: 'every two weeks', monthly: 'every month', once: '' },
  es: { weekly: 'cada semana', biweekly: 'cada dos semanas', monthly: 'cada mes', once: '' },
}

const words = {
  en: {
    toLabel: 'QUOTE FOR',
    until: (day: string) => `Good until ${day}`,
    sent: (day: string) => `Version of ${day}`,
    columns: ['Service', 'Price', 'Visits', 'Amount'],
    package: (name: string) => `Package: ${name}`,
    deposit: 'Deposit on signing',
    perVisit: (every: string, cents: string, isTaxed: boolean) =>
      `One visit ${every} comes to ${cents}${isTaxed ? ' with tax' : ''}.`,
    goesOn:
      'Recurring work is invoiced visit by visit as it is done; the number of visits is what a season usually has.',
    signed: 'SIGNED',
    renewed: 'RENEWED',
    prepaid: 'Paid ahead',
    near: 'Our crew is near you',
    on: (at: string, ip: string) => `Signed ${at}${ip ? ` from ${ip}` : ''}`,
    office: (by: string, note: string) => `Agreed to otherwise, noted by ${by}: ${note}`,
    proof: (content: string, terms: string) =>
      `Fingerprint of what was signed: ${content}\nFingerprint of the terms: ${terms}`,
    empty: 'Nothing chosen',
  },
  es: {
    toLabel: 'COTIZACIÓN PARA',
    until: (day: string) => `Válida hasta el ${day}`,
    sent: (day: string) => `Versión del ${day}`,
    columns: ['Servicio', 'Precio', 'Visitas', 'Monto'],
    package: (name: string) => `Paquete: ${name}`,
    deposit: 'Depósito al firmar',
    perVisit: (every: string, cents: string, isTaxed: boolean) =>
      `Una visita ${every} cuesta ${cents}${isTaxed ? ' con impuesto' : ''}.`,
    goesOn:
      'El trabajo recurrente se factura visita por visita al hacerse; el número de visitas es el usual de una temporada.',
    signed: 'FIRMADO',
    renewed: 'RENOVADO',
    prepaid: 'Pago por adelantado',
    near: 'Nuestro equipo pasa cerca',
    on: (at: string, ip: string) => `Firmado ${at}${ip ? ` desde ${ip}` : ''}`,
    office: (by: string, note: string) => `Aceptada de otra forma, anotado por ${by}: ${note}`,
    proof: (content: string, terms: string) => `Huella de lo firmado: ${content}\nHuella de los términos: ${terms}`,
    empty: 'Nada elegido',
  },
} satisfies Record<Language, unknown>

export type SignatureFacts = {
  way: 'typed' | 'drawn' | 'office' | 'notice'
  signer: string
  strokes: number[][]
  at: string
  ip: string
  contentHash: string
  termsHash: string
  agreed: string
  byName: string
  note: string
}

type Facts = {
  number: number
  content: SentContent
  choice: Choice
  sentOn: string
  language: Language
  to: Paper['to']
  place: string
  signature: SignatureFacts | null
}

export const totalsOf = (content: SentContent, choice: Choice): QuoteTotals => quoteTotals(content, choice, content.tax)

/** A quote on paper: what is chosen of it, its sums, its terms and, once it is signed, the name under it with its evidence. */
export const quotePaper = ({ number, content, choice, sentOn, language, to, place, signature }: Facts): Paper => {
  const t = words[language]
  const s = sumWords[language]
  const totals = totalsOf(content, choice)
  const chosenPackage = content.packages.find(({ id }) => id === choice.packageId)
  const sums = [
    { label: s.subtotal, cents: totals.subtotalCents, strong: false },
    ...(totals.discountCents ? [{ label: s.discount, cents: -totals.discountCents, strong: false }] : []),
    ...(totals.densityCents ? [{ label: t.near, cents: -totals.densityCents, strong: false }] : []),
    ...totals.taxes.map((tax) => ({ label: rateLabel(tax), cents: tax.taxCents, strong: false })),
    { label: s.total, cents: totals.totalCents, strong: true },
    ...(totals.depositCents
      ? [{ label: paysAhead(content, choice) ? t.prepaid : t.deposit, cents: totals.depositCents, strong: false }]
      : []),
  ]
  return {
    language,
    title: quoteName(number),
    days: [
      t.sent(dayIn(language, sentOn, { year: true })),
      content.validUntil && !signature ? t.until(dayIn(language, content.validUntil, { year: true })) : '',
    ],
    toLabel: t.toLabel,
    to,
    columns: [
      { label: t.columns[0] ?? '' },
      { label: t.columns[1] ?? '', right: true, widthMm: 28 },
      { label: t.columns[2] ?? '', right: true, widthMm: 18 },
      { label: t.columns[3] ?? '', right: true, widthMm: 30 },
    ],
    rows: content.lines
      .filter((line) => isChosen(line, choice))
      .map((line) => [
        [
          [
            line.quantity === 1 ? line.name : `${line.quantity} × ${line.name}`,
            line.rhythm || everyWords[language][line.frequency],
          ]
            .filter(Boolean)
            .join(', '),
          line.description,
        ]
          .filter(Boolean)
          .join('\n'),
        formatCents(line.unitPriceCents ?? 0),
        String(line.visits),
        formatCents(Math.round(line.quantity * (line.unitPriceCents ?? 0)) * line.visits),
      ]),
    empty: t.empty,
    sums,
    pay: null,
    texts: [
      [content.title, place, chosenPackage ? t.package(chosenPackage.name) : ''].filter(Boolean).join(' · '),
      content.message,
      totals.perVisit
        .map(({ frequency, cents }) =>
          t.perVisit(everyWords[language][frequency], formatCents(cents), totals.taxCents > 0),
        )
        .join(' '),
      content.lines.some((line) => isChosen(line, choice) && line.visits > 1) ? t.goesOn : '',
      content.terms,
    ],
    ...(signature
      ? {
          signature: {
            label: signature.way === 'notice' ? t.renewed : t.signed,
            name: signature.signer,
            strokes: signature.strokes,
            notes: [
              signature.way === 'office'
                ? t.office(signature.byName, signature.note)
                : signature.way === 'notice'
                  ? signature.note
                  : signature.agreed,
              t.on(signature.at, signature.ip),
              ...t.proof(signature.contentHash, signature.termsHash).split('\n'),
            ],
          },
        }
      : {}),
  }
}
