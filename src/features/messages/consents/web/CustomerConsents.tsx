import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { lazyPart, useAhead } from '../../../../ui/lazyAhead.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import type { CustomerConsents as Consents } from '../contract.ts'
import { consentsApi } from '../contract.ts'
import { type Standing, sourceWords } from '../rules.ts'
import { consentsQuery } from './data.ts'

const WordDialog = lazyPart(() => import('./WordDialog.tsx').then((m) => m.WordDialog))

type Address = Consents['addresses'][number]
type Word = Consents['items'][number]

const shown = (channel: 'email' | 'sms', address: string): string =>
  channel === 'sms' ? formatPhone(address) : address

const badges: Readonly<Record<Standing, { tone?: 'done' | 'late'; label: string }>> = {
  agreed: { tone: 'done', label: 'Gets offers' },
  never: { label: 'Not asked' },
  taken_back: { label: 'No offers' },
  stopped: { tone: 'late', label: 'Nothing goes there' },
}

const toneOf = (standing: Standing) => {
  const { tone } = badges[standing]
  return tone ? { tone } : {}
}

const wordsOf = ({ channel, standing, reason }: Address): string => {
  if (standing === 'agreed') return channel === 'sms' ? 'Agreed to offers by text.' : 'Agreed to offers by e-mail.'
  if (standing === 'never') return 'Never agreed to offers, so none go there.'
  if (standing === 'taken_back') return reason ? `${reason}. No offers go there.` : 'Said no to offers. None go there.'
  return channel === 'sms'
    ? `${reason}. Only they can turn texts on again, by replying START from that phone.`
    : `${reason}. Ask them for another e-mail.`
}

const saidWords = ({ purpose, action }: Word): string =>
  purpose === 'marketing'
    ? action === 'grant'
      ? 'Yes to offers'
      : 'No to offers'
    : action === 'grant'
      ? 'Yes to texts about their service'
      : 'No to texts about their service'

const History = ({ items }: { items: readonly Word[] }) => (
  <details className="panel-gone">
    <summary>{items.length === 1 ? '1 word on record' : `${items.length} words on record`}</summary>
    <ul className="panel-rows">
      {items.map((word) => (
        <li key={word.id}>
          <span className="panel-rows__main">
            <b>
              {saidWords(word)}: {shown(word.channel, word.address)}
            </b>
            <span className="muted">
              {[sourceWords(word.source), word.byName && `written down by ${word.byName}`].filter(Boolean).join(', ')}
            </span>
            {word.wording ? <span className="muted">“{word.wording}”</span> : null}
          </span>
          <span className="panel-rows__side">{formatDay(word.day, { year: true })}</span>
        </li>
      ))}
    </ul>
  </details>
)

/** Where offers may go to a customer and their contacts, what was said of it, and writing down what they say to the office. */
export const CustomerConsents = ({ customer }: { customer: { id: string; name: string } }) => {
  const found = useQuery(consentsQuery(customer.id))
  const may = useMay()
  const [said, setSaid] = useState<{ action: 'grant' | 'revoke'; addresses: readonly Address[] } | null>(null)
  useAhead(WordDialog)
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load who agreed to offers"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return null
  const { addresses, items } = found.data
  const asking = addresses.filter(({ can, standing }) => can.agree && standing !== 'agreed')
  return (
    <section className="panel-section" aria-label={`Offers to ${customer.name}`}>
      <header>
        <h3>Offers and consent</h3>
        {may(consentsApi.record) && asking.length > 0 ? (
          <Button size="s" kind="quiet" onClick={() => setSaid({ action: 'grant', addresses: asking })}>
            Agreed to offers…
          </Button>
        ) : null}
      </header>
      {addresses.length === 0 ? (
        <p className="muted">No mobile number and no e-mail on file, so no offer can reach them.</p>
      ) : (
        <ul className="panel-rows">
          {addresses.map((one) => (
            <li key={`${one.channel} ${one.address}`}>
              <span className="panel-rows__main">
                <b>{shown(one.channel, one.address)}</b>
                <span className="muted">
                  {one.name === customer.name ? '' : `${one.name}. `}
                  {wordsOf(one)}
                </span>
              </span>
              <span className="panel-rows__side">
                <Badge {...toneOf(one.standing)}>{badges[one.standing].label}</Badge>
                {may(consentsApi.record) && one.can.takeBack ? (
                  <Button size="s" kind="quiet" onClick={() => setSaid({ action: 'revoke', addresses: [one] })}>
                    Took it back…
                  </Button>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 ? <History items={items} /> : null}
      {said ? <WordDialog customer={customer} {...said} onClose={() => setSaid(null)} /> : null}
    </section>
  )
}
