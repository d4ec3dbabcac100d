import { z } from 'zod'

/** The part of the environment that says where photos and documents lie. */

export const filesEnvironment = {
  SWATH_FILES: z
    .string()
    .regex(
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be s3:// and the name of a bucket, like s3://swath-files; unset, files lie in the data folder',
    )
    .transform((text) => text.slice('s3://'.length))
    .optional(),
  SWATH_S3_ENDPOINT: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
      error: 'must look like https://s3.example.com',
    })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  SWATH_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{2,40}$/, 'must be a region like us-east-1')
    .optional(),
  SWATH_S3_KEY_ID: z.string().min(3, 'must be the id of an access key').optional(),
  SWATH_S3_SECRET: z.string().min(8, 'must be what belongs to that access key, at least 8 characters').optional(),
}

/** Values that no message may show. */
export const filesSecrets = ['SWATH_S3_KEY_ID', 'SWATH_S3_SECRET', 'SWATH_S3_ENDPOINT']

export type BucketSettings = {
  bucket: string
  /** Undefined: Amazon's own, by the region. */
  endpoint: string | undefined
  region: string
  keyId: string
  secret: string
}

type Values = z.output<z.ZodObject<typeof filesEnvironment>>

/** What is wrong between values that are each right, as "NAME must ...", or null. */
export const filesProblem = (values: Values): string | null => {
  const { SWATH_FILES: bucket, SWATH_S3_ENDPOINT: endpoint, SWATH_S3_REGION: region } = values
  const hasKey = Boolean(values.SWATH_S3_KEY_ID && values.SWATH_S3_SECRET)
  if (!bucket)
    return endpoint || region || values.SWATH_S3_KEY_ID || values.SWATH_S3_SECRET
      ? 'the SWATH_S3_ variables need SWATH_FILES=s3://<bucket>; without it files lie in the data folder'
      : null
  if (!hasKey) return 'SWATH_FILES needs SWATH_S3_KEY_ID and SWATH_S3_SECRET, an access key of that bucket'
  if (!endpoint && !region) return 'SWATH_FILES needs SWATH_S3_REGION (Amazon) or SWATH_S3_ENDPOINT (any other service)'
  return null
}

/** The settings in what was read of the environment; undefined: the data folder of this machine. */
export const filesSettingsOf = (values: Values): BucketSettings | undefined =>
  values.SWATH_FILES
    ? {
        bucket: values.SWATH_FILES,
        endpoint: values.SWATH_S3_ENDPOINT,
        region: values.SWATH_S3_REGION ?? 'us-east-1',
        keyId: values.SWATH_S3_KEY_ID ?? '',
        secret: values.SWATH_S3_SECRET ?? '',
      }
    : undefined
