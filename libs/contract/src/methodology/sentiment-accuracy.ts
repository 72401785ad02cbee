import { z } from 'zod';
import { SentimentMethod } from '../resources/result.ts';
import { Count, Percent } from '../scalars.ts';

export const SentimentAccuracy = z
  .strictObject({
    method: SentimentMethod.describe('Method that was compared with the labels.'),
    tone: z
      .enum(['positive', 'neutral', 'negative'])
      .meta({ id: 'Tone' })
      .nullable()
      .describe('Label of the mentions; null for all.'),
    language: z.string().nullable().describe('Language of the mentions (ISO 639-1); null for all.'),
    mentions: Count.describe('Number of labelled mentions.'),
    agreement: Percent.describe('Percentage of the mentions that the method rates as the label says.'),
    agreement_low: Percent.describe('Lower end of the 95 % score interval of `agreement`.'),
    agreement_high: Percent.describe('Upper end of the 95 % score interval of `agreement`.'),
  })
  .meta({ id: 'SentimentAccuracy' });
export type SentimentAccuracy = z.infer<typeof SentimentAccuracy>;
