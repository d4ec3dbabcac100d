import { useState } from 'react'
import { fetchFile } from '../../../../shared/client.ts'
import { counted } from '../../../../shared/counted.ts'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { saveFile } from '../../../../ui/saveFile.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { pricesApi } from '../../../jobs/prices/contract.ts'
import { undoWords } from '../../../jobs/prices/web/PriceBook.tsx'
import { UndoPrices } from '../../../jobs/prices/web/UndoPrices.tsx'
import { lawnsApi, type SentLetter } from '../contract.ts'
import { useNotePrinted } from './data.ts'

/** What became of the letters: nobody is told before a message has left. */
const letterWords = (one: SentLetter): string =>
  [
    one.toldCount > 0 && `${counted(one.toldCount, 'customer')} told`,
    one.waitingCount > 0 && `${counted(one.waitingCount, 'letter')} waiting`,
    one.recalledCount > 0 && `${counted(one.recalledCount, 'letter')} recalled`,
    one.missedCount > 0 && `${counted(one.missedCount, 'letter')} not delivered`,
    one.paper.length > 0 && `${counted(one.paper.length, 'letter')} to print`,
  ]
    .filter(Boolean)
    .join(', ')

/** The letters so far, each with its Undo and what of it is to be printed. */
export const SentLetters = ({ letters }: { letters: readonly SentLetter[] }) => {
  const { timeZone } = useUser().business
  const [asked, setAsked] = useState<SentLetter | null>(null)
  const notePrinted = useNotePrinted()
  const print = async ({ id, paper }: SentLetter, again: boolean) => {
    try {
      const { blob } = await fetchFile(lawnsApi.paper, { params: { id }, query: { again: String(again) } })
      saveFile(blob, 'Price letters.pdf')
      if (paper.length > 0)
        await notePrinted.mutateAsync({ id, customerIds: paper.map(({ customerId }) => customerId) })
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Card title="Letters so far" as="section">
      <ul className="an-rows" aria-label="Letters so far">
        {letters.map((one) => (
          <li key={one.id}>
            <span>
              {counted(one.lineCount, 'lawn')} from {formatDay(one.fromOn, { year: true })},{' '}
              {formatCents(one.afterCents - one.beforeCents)} more a month in season
              <span className="hint">
                {formatDay(dayOf(one.createdAt, timeZone), { year: true })} by {one.byName ?? 'Swath'}
                {letterWords(one) ? ` · ${letterWords(one)}` : ''}
              </span>
              {one.printedCount > 0 && one.printedAt ? (
                <span className="hint">
                  {counted(one.printedCount, 'letter')} printed, the last on{' '}
                  {formatDay(dayOf(one.printedAt, timeZone), { year: true })} by {one.printedByName ?? 'somebody'}
                </span>
              ) : null}
              {one.paper.length > 0 ? (
                <details className="lw-paper">
                  <summary>Whom no message told</summary>
                  <ul>
                    {one.paper.map(({ customerId, name, why }) => (
                      <li key={customerId}>
                        <LinkTo href={linkTo.customer(customerId, { part: 'messages' })}>{name}</LinkTo>
                        <span className="hint">{why}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              ) : null}
            </span>
            <span className="lw-do">
              {one.paper.length > 0 ? (
                <Button
                  size="s"
                  calls={lawnsApi.printed}
                  disabled={notePrinted.isPending}
                  onClick={() => void print(one, false)}
                >
                  Print {counted(one.paper.length, 'letter')}
                </Button>
              ) : one.printedCount > 0 ? (
                <Button size="s" kind="quiet" onClick={() => void print(one, true)}>
                  Print again
                </Button>
              ) : null}
              {one.undoneAt ? (
                <Badge>undone</Badge>
              ) : one.canUndo ? (
                <Button size="s" calls={pricesApi.undo} onClick={() => setAsked(one)}>
                  Undo
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      <UndoPrices
        change={asked}
        onClose={() => setAsked(null)}
        title="Take these prices back?"
        confirmLabel="Take them back"
        words={undoWords}
      />
    </Card>
  )
}
