import type { ReactNode } from 'react'
import { TextField } from '../../../ui/TextField.tsx'
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
}: {
  value: string
  onChange: (number: string) => void
  error?: string | undefined
  cards?: readonly TestCard[]
}) => (
  <>
    <TextField
      label="Card number"
      value={value}
      onChange={(text) => onChange(grouped(text))}
      inputMode="numeric"
      autoComplete="off"
      error={error}
    />
    <fieldset className="checkout__cards">
      <legend>Test cards</legend>
      {cards.map(({ number, label }) => (
        <button key={number} type="button" aria-pressed={value === number} onClick={() => onChange(number)}>
          <span className="num">{number}</span> <span className="hint">{label}</span>
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
}: {
  value: string
  onChange: (number: string) => void
  error?: string | undefined
  accounts: readonly TestCard[]
}) => (
  <>
    <TextField
      label="Account number"
      value={value}
      onChange={(text) => onChange(text.replace(/\D/g, '').slice(0, 17))}
      inputMode="numeric"
      autoComplete="off"
      error={error}
      hint="Routing number 110000000, as at every test bank."
    />
    <fieldset className="checkout__cards">
      <legend>Test accounts</legend>
      {accounts.map(({ number, label }) => (
        <button key={number} type="button" aria-pressed={value === number} onClick={() => onChange(number)}>
          <span className="num">{number}</span> <span className="hint">{label}</span>
        </button>
      ))}
    </fieldset>
  </>
)

/** The frame of a page that plays the payment provider. Nobody may take it for the real thing. */
export const TestFrame = ({ children }: { children: ReactNode }) => (
  <main className="checkout" id="screen">
    <p className="checkout__test">
      <b>TEST checkout</b> Never type a real card number here.
    </p>
    <div className="checkout__sheet">{children}</div>
  </main>
)
