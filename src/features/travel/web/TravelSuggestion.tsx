import { useQuery } from '@tanstack/react-query'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { travelFitQuery, useApplyFit } from './data.ts'

type Props = {
  version: number
  /** Minutes that a drive over so many road miles counts as. */
  minutes: (miles: number, factorSeconds: number, exponent: number) => number
}

/** What the crews' clocks say about the roads, offered and never taken by itself. */
export const TravelSuggestion = ({ version, minutes }: Props) => {
  const { data: fit } = useQuery(travelFitQuery)
  const apply = useApplyFit()
  const owner = useUser().role === 'Owner'
  if (!fit) return null
  const { now, suggestion: better } = fit
  if (!better)
    return (
      <p className="hint is-whole">
        {fit.drives < fit.needed
          ? `${fit.drives} of ${fit.needed} clocked drives are in. With enough of them, Swath compares these settings with what your crews really need.`
          : `Checked against ${fit.drives.toLocaleString('en-US')} clocked drives: these settings fit your roads.`}
      </p>
    )
  const change = (miles: number) =>
    `${miles === 1 ? 'a mile' : `${miles} miles`} ${minutes(miles, now.factorSeconds, now.exponent)} → ${minutes(miles, better.factorSeconds, better.exponent)} min`
  return (
    <div className="is-whole">
      <Banner
        tone="info"
        title={`Your crews clocked ${fit.drives.toLocaleString('en-US')} drives: other settings fit better.`}
        action={
          owner ? (
            <Button
              loading={apply.isPending}
              onClick={() =>
                apply.mutate(
                  { version, factorSeconds: better.factorSeconds, exponent: better.exponent },
                  {
                    onSuccess: () => toast.success('Drive times follow your crews’ clocks now'),
                    onError: toast.error,
                  },
                )
              }
            >
              Use these
            </Button>
          ) : null
        }
      >
        The estimate is off by {better.errorBefore} % now and would be by {better.errorAfter} %: {change(1)},{' '}
        {change(3)}, {change(10)}. {owner ? 'Plans that are made from then on use it.' : 'The owner can take it over.'}
      </Banner>
    </div>
  )
}
