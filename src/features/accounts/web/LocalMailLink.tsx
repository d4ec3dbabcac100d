import { useQuery } from '@tanstack/react-query'
import { localMailHeader, paths } from '../../../shared/paths.ts'

const isThisComputer = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** On one's own computer no mail arrives: the way to where it can be read. Elsewhere nothing. */
export const LocalMailLink = ({ label = 'Read the mail on this computer' }: { label?: string }) => {
  const { data: isThere } = useQuery({
    queryKey: ['local', 'accounts'],
    queryFn: async ({ signal }) => {
      // A server in production answers every address with something.
      const { ok, headers } = await fetch(paths.localAccounts, { method: 'HEAD', signal })
      return ok && headers.has(localMailHeader)
    },
    enabled: isThisComputer.test(location.hostname),
    retry: false,
  })
  return isThere ? (
    <a href={paths.localAccounts} target="_blank" rel="noreferrer">
      {label}
    </a>
  ) : null
}
