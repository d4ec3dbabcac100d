import { useQuery } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { formatDuration } from '../../../../shared/dates.ts'
import { KeyValue } from '../../../../ui/KeyValue.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { payrollApi } from '../contract.ts'

/** Who was on the clock at a finished visit and what that cost; only for who may see wages. */
export const VisitLabor = ({ visitId }: { visitId: string }) => {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['timeclock', 'visit-labor', visitId],
    queryFn: ({ signal }) => call(payrollApi.visitLabor, { params: { visitId } }, { signal }),
    enabled: may(payrollApi.visitLabor),
  })
  if (!data || data.people.length === 0) return null
  return (
    <KeyValue
      items={[
        {
          label: 'Labor cost',
          value: (
            <>
              <Money cents={data.costCents} />
              <span className="hint">
                {' '}
                {data.people.map((one) => `${one.name} ${formatDuration(one.seconds)}`).join(', ')}
              </span>
            </>
          ),
        },
      ]}
    />
  )
}
