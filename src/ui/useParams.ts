import { useSearchParams } from 'react-router'

export type ChangeParams = (changes: Record<string, string | null>, options?: { replace?: boolean }) => void

/** The parameters of the address, and a way to change some of them. A null or an empty text takes a key away. */
export const useParams = (): { params: URLSearchParams; change: ChangeParams } => {
  const [params, setParams] = useSearchParams()
  const change: ChangeParams = (changes, { replace = false } = {}) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [key, value] of Object.entries(changes)) {
          if (value) next.set(key, value)
          else next.delete(key)
        }
        return next
      },
      { replace },
    )
  return { params, change }
}
