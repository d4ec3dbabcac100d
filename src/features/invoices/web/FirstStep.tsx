import { useQuery } from '@tanstack/react-query'
import { linkTo } from '../../../shared/links.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { customersApi } from '../../customers/contract.ts'
import { countsQuery } from '../../customers/web/data.ts'

/** What comes before the first invoice: somebody to work for, then work that is finished. */
export const FirstStep = () => {
  const counts = useQuery(countsQuery)
  if (counts.isPending) return null
  return counts.data?.all === 0 ? (
    <Button href={linkTo.newCustomer()} calls={customersApi.create}>
      Add a customer
    </Button>
  ) : (
    <Button href={paths.routeMap}>Open today's routes</Button>
  )
}
