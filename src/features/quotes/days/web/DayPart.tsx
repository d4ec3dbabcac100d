import { useQuery } from '@tanstack/react-query'
import { weekdayNames } from '../../../../shared/dates.ts'
import { formatPercent } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'

import type { BestDays } from '../contract.ts'
import { addedWords, isBest, type QuoteDay } from '../rules.ts'
import { bestDaysQuery } from './data.ts'

type Props = { quoteId: string; value: QuoteDay | null; onChange: (day: QuoteDay | null) => void }

const listed = (days: readonly number[]): string => days.map((day) => weekdayNames[day] ?? '').join(', ')

const hintOf = ({ crewName, stops, addedSeconds, densityPercent }: BestDays['offers'][number]): string =>
  [
    addedWords(addedSeconds),
    `${crewName}, ${stops === 0 ? 'nothing yet' : `${stops} ${stops === 1 ? 'stop' : 'stops'}`}`,
    densityPercent > 0 ? `${formatPercent(densityPercent / 100)} off` : null,
  ]
    .filter(Boolean)
    .join(' · ')

/** On which day the work would add the least driving, and what is off for it. */
export const DayPart = ({ quoteId, value, onChange }: Props) => {
  const found = useQuery(bestDaysQuery(quoteId))
  const { data } = found
  return (
    <Card title="Best day" hint="By added driving" as="section">
      {found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not look at the routes"
          onRetry={() => void found.refetch()}
        />
      ) : !data ? (
        <PanelSkeleton />
      ) : (
        <div className="qt-form">
          {data.problem ? <p className="hint">{data.problem}</p> : null}
          {data.offers.length > 0 ? (
            <RadioField
              label="Day of the visits"
              hideLabel
              value={value ? String(value.weekday) : 'none'}
              onChange={(weekday) => {
                const offer = data.offers.find((one) => String(one.weekday) === weekday)
                onChange(
                  offer
                    ? {
                        weekday: offer.weekday,
                        crewId: offer.crewId,
                        crewName: offer.crewName,
                        addedSeconds: offer.addedSeconds,
                        densityPercent: offer.densityPercent,
                        shown: value?.shown ?? false,
                      }
                    : null,
                )
              }}
              options={[
                ...data.offers.map((offer, at) => ({
                  value: String(offer.weekday),
                  label: `${weekdayNames[offer.weekday]}${at === 0 && isBest(data.offers) ? ', the best' : ''}`,
                  hint: hintOf(offer),
                })),
                { value: 'none', label: 'No day yet' },
              ]}
            />
          ) : null}
          {data.full.length > 0 && data.offers.length > 0 ? (
            <p className="hint">Without room: {listed(data.full)}.</p>
          ) : null}
          <Button size="s" kind="quiet" href="/profile?section=money#near">
            What is off for a close stop
          </Button>
        </div>
      )}
    </Card>
  )
}
