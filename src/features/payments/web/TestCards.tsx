import type { ReactNode } from 'react'
import { TextField } from '../../../ui/TextField.tsx'
import { type CheckoutTexts, checkoutTexts } from './checkoutTexts.ts'
import './checkout.css'

export type TestCard = { number: string; label: string }

export const usualCards: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', label: 'is paid' },
  { number: '4000 0000 0000 0002', label: 'is declined' },
  { number: '4000 0000 0000 9995', label: 'has no money' },
]

/** Four digits at a time, as they stand on the card. */
const grouped = (text: string): string =>
  (
    text
      .replace(/\D/g, '')
      .slice(0, 16)
      .match(/.{1,4}/g) ?? []
  ).join(' ')

/** A card's number with the test numbers to pick from. */
export const TestCards = ({
  value,
  onChange,
  error,
  cards = usualCards,
  t = checkoutTexts.en,
}: {
  t?: CheckoutTexts
  value: string
  onChange: (number: string) => void
  error?: string | undefined
  cards?: readonly TestCard[]
}) => (
  <>
    <TextField
      label={t.cardNumber}
      value={value}
      onChange={(text) => onChange(grouped(text))}
      inputMode="numeric"
      autoComplete="off"
      error={error}
    />
    <fieldset className="checkout__cards">
      <legend>{t.cards}</legend>
      {cards.map(({ number, label }) => (
        <button key={number} type="button" aria-pressed={value === number} onClick={() => onChange(number)}>
          <span className="num">{number}</span> <span className="hint">{t.outcomes[number] ?? label}</span>
        </button>
      ))}
    </fieldset>
  </>
)

/** A bank account's number with the test numbers to pick from. */
export const TestAccounts = ({
  value,
  onChange,
  error,
  accounts,
  t,
}: {
  t: CheckoutTexts
  value: string
  onChange: (number: string) => void
  error?: string | undefined
  accounts: readonly TestCard[]
}) => (
  <>
    <TextField
      label={t.accountNumber}
      value={value}
      onChange={(text) => onChange(text.replace(/\D/g, '').slice(0, 17))}
      inputMode="numeric"
      autoComplete="off"
      error={error}
      hint={t.routing}
    />
    <fieldset className="checkout__cards">
      <legend>{t.accounts}</legend>
      {accounts.map(({ number, label }) => (
        <button key={number} type="button" aria-pressed={value === number} onClick={() => onChange(number)}>
          <span className="num">{number}</span> <span className="hint">{t.outcomes[number] ?? label}</span>
        </button>
      ))}
    </fieldset>
  </>
)

/** The frame of a page that plays the payment provider. Nobody may take it for the real thing. */
export const TestFrame = ({
  children,
  language = 'en',
  t = checkoutTexts.en,
}: {
  children: ReactNode
  language?: 'en' | 'es'
  t?: CheckoutTexts
}) => (
  <main className="checkout" id="screen" lang={language}>
    <p className="checkout__test">
      <b>{t.test}</b> {t.warning}
    </p>
    <div className="checkout__sheet">{children}</div>
  </main>
)
